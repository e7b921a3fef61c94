import { join } from 'node:path'
import { inspect } from 'node:util'
import { decode, encode } from '@reprise/core'
import { expect, test } from 'vitest'
import { exportTrajectory, loadTrajectory } from '../src/index.js'
import { trajectoryOf } from './support/drafts.js'
import { tempFolder } from './support/folders.js'

const shared = { a: 1 }
const circular: Record<string, unknown> = { name: 'loop' }
circular.self = circular
let deep: unknown = 'bottom'
for (let i = 0; i < 500; i++) deep = [deep]

const VALUES: Record<string, unknown> = {
  undefined: [undefined, { a: undefined }],
  holes: Object.assign(new Array(3), { 0: 1, 2: 3 }),
  numbers: [Number.NaN, Number.POSITIVE_INFINITY, -0],
  bigint: 12345678901234567890n,
  dates: [new Date(0), new Date(Number.NaN)],
  regexp: /a+/gi,
  url: new URL('https://example.com/x?y=1'),
  map: new Map<unknown, unknown>([
    ['k', { v: 1 }],
    [{ object: 'key' }, 2],
  ]),
  set: new Set([1, 'a', { b: 2 }]),
  bytes: [Buffer.from('hello'), new Float64Array([1.5, 2])],
  symbol: Symbol.for('reprise.test'),
  'lone surrogate': 'a\ud800b',
  'no prototype': Object.assign(Object.create(null), { $same: ['a@1', 'input'] }),
  error: new TypeError('no', { cause: new RangeError('deep down') }),
  'shared object': [shared, shared],
  circular,
  deep,
  'what looks like a tag': { $same: ['agent@1', 'input'], $first: 1 },
  'what looks like our own tags, inside': { $map: { $blob: 'x', $chars: 1 }, $kept: { $same: 0 } },
  'own __proto__': JSON.parse('{"__proto__": {"polluted": true}}'),
  'a list with a name': Object.assign([1, 2], { index: 0 }),
  'odd key': { 'a\udc00': 1 },
  'long bytes': Buffer.alloc(100_000, 7),
}

test.each(Object.keys(VALUES))('%s survives the fixture as the codec wrote it', async (name) => {
  const value = VALUES[name]
  const input = [encode(value, 'input.0').json, 'x'.repeat(300)]
  const outcome = { type: 'returned' as const, value: encode(value, 'outcome.value').json }
  const dir = join(tempFolder(), 'fixture')
  await exportTrajectory(
    trajectoryOf([
      { name: 'tool', input, outcome },
      { name: 'tool', input, outcome },
    ]),
    dir,
  )
  for (const envelope of (await loadTrajectory(dir)).envelopes) {
    expect(JSON.stringify(envelope.outcome)).toBe(JSON.stringify(outcome))
    expect(JSON.stringify(envelope.input)).toBe(JSON.stringify(input))
    const back = envelope.outcome.type === 'returned' ? decode(envelope.outcome.value) : undefined
    expect(inspect(back, { depth: 20 })).toBe(inspect(decode(outcome.value), { depth: 20 }))
  }
})
