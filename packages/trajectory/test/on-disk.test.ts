import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportTrajectory } from '../src/index.js'
import { trajectoryOf } from './support/drafts.js'
import { contents, tempFolder } from './support/folders.js'

const SYSTEM = 'You tidy up a disk. '.repeat(12).trim()

test('a fixture of three envelopes, to the byte', async () => {
  const dir = join(tempFolder(), 'prod-delete')
  const system = { role: 'system', content: SYSTEM }
  const user = { role: 'user', content: 'make room' }
  await exportTrajectory(
    trajectoryOf(
      [
        {
          name: 'agent',
          kind: 'model',
          input: [{ messages: [system, user], temperature: 0 }],
          outcome: { type: 'returned', value: { tool: 'delete_file', path: '/prod/db' } },
          meta: { model: 'gpt-5' },
        },
        {
          name: 'delete_file',
          input: ['/prod/db', { $opaque: { class: 'Env', data: {} } }],
          shape: 'async-generator',
          outcome: { type: 'streamed', chunks: ['deleting', { done: true }], atMs: [1, 2.5], end: 'done' },
          lossy: ['input.1'],
        },
        {
          name: 'agent',
          kind: 'model',
          input: [{ messages: [system, user, { role: 'tool', content: 'gone' }], temperature: 0 }],
          outcome: {
            type: 'threw',
            error: { class: 'APIError', name: 'APIError', message: 'overloaded', fields: { status: 529 } },
          },
        },
      ],
      {
        input: '/prod',
        outcome: { type: 'threw', error: { class: 'APIError', name: 'APIError', message: 'overloaded' } },
        rerun: 'npx vitest',
      },
    ),
    dir,
  )
  expect(contents(dir)).toMatchSnapshot()
})
