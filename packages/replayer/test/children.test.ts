import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { tool } from '@reprise/core'
import { expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { failure, recorded } from './support.js'

const program = fileURLToPath(new URL('./support/child.mjs', import.meta.url))
const run = (word: string): string => execFileSync(process.execPath, [program, word], { encoding: 'utf8' })

const work = tool('work', async (word: string) => run(word))
const agent = async (): Promise<string> => `${await work('tea')}!`

it('a crossing that started a child is answered, and starts none', async () => {
  const dir = await recorded(agent)
  const result = await replay(dir, agent)
  expect([result.value(), result.liveCalls]).toEqual(['TEA!', []])
})

it('as a breakpoint it may start one, where the test allows it', async () => {
  const dir = await recorded(agent)
  const result = await replay(dir, agent, { breakpoint: 'work@1', guard: { allow: { spawn: true } } })
  expect([result.value(), result.liveCalls]).toEqual(['TEA!', ['work@1']])
  expect((await failure(replay(dir, agent, { breakpoint: 'work@1' }))).code).toBe('GUARD_BLOCKED')
})

it('what was crossed in a child can be no breakpoint, and the way on is named', async () => {
  const dir = await recorded(agent)
  for (const options of [{ breakpoint: 'work@1/shout@1' }, { substitute: { 'work@1/shout@1': { returned: '' } } }]) {
    const error = await failure(replay(dir, agent, options))
    expect([error.code, error.next]).toEqual(['BAD_OPTION', 'name work@1, which started it'])
  }
})

it('a child of the glue is not started in a replay', async () => {
  const glue = async (): Promise<string> => run('tea')
  expect((await failure(replay(await recorded(glue), glue))).code).toBe('GUARD_BLOCKED')
})
