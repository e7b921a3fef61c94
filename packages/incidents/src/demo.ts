// npm run demo
// One incident from its recording to the proof of its fix, told to a person, then what recording costs.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { record } from '@reprise/recorder'
import { replay } from '@reprise/replayer'
import { files } from './demo/files.js'
import { loseTheRetry } from './demo/lost-retry.js'
import { paint } from './demo/paint.js'
import { timeline } from './demo/timeline.js'
import { emptyWorld, isAverted } from './incident.js'
import { prodDelete } from './incidents/prod-delete.js'
import { measureOverhead } from './overhead.js'
import { overheadTable } from './overhead-table.js'
import type { Mode } from './plot.js'
import { withProgress } from './progress.js'

const { breakpoint, story, task, toolName } = prodDelete

const say = (text = '') => console.log(text)
const heading = (text: string) => say(`\n${paint.strong(text)}`)
const wrap = (text: string) => text.replace(/(.{1,100})(?: |$)/gm, '$1\n').trimEnd()
const indent = (text: string) => text.replace(/^(?=.)/gm, '  ')
const done = (deeds: readonly string[]) => (deeds.length > 0 ? paint.bad(deeds.join(', ')) : paint.good('nothing'))

async function incident(dir: string): Promise<void> {
  heading('1. What happened')
  const world = emptyWorld()
  const { trajectory } = await record(dir, prodDelete.agent('ungated', world), { input: task, journal: false })
  say(indent(`${wrap(story)}\n\nThe request, ${task.id}: "${task.text}"\n`))
  say(indent(timeline(trajectory)))
  say(indent(`\nDone to the world: ${done(world.deeds)}`))
}

async function fullReplay(dir: string): Promise<void> {
  heading('2. The full replay: every boundary answered from the recording')
  const world = emptyWorld()
  const result = await replay(dir, prodDelete.agent('ungated', world))
  const crossings = result.crossings()
  const modelCalls = crossings.filter(({ mode, envelope }) => mode === 'live' && envelope?.kind === 'model').length
  say(
    indent(
      `${crossings.length} crossings, ${result.liveCalls.length} of them live, ${modelCalls} model calls, same result`,
    ),
  )
  say(indent(`Done to the world: ${done(world.deeds)}`))
}

async function breakpointReplay(dir: string, when: string, mode: Mode): Promise<void> {
  const world = emptyWorld()
  const result = await replay(dir, prodDelete.agent(mode, world), { breakpoint })
  const { outcome } = result.at(breakpoint)
  const report = result.value()
  const passes = outcome.type === 'returned' && isAverted(outcome.value, report)
  say(indent(`${when}: the test ${passes ? paint.good('passes') : paint.bad('fails')}`))
  for (const crossing of result.crossings()) say(indent(indent(`${crossing.address} ${paint.faint(crossing.mode)}`)))
  say(indent(indent(`The agent says: ${report.text}\nDone to the world: ${done(world.deeds)}`)))
}

async function lostRetry(dir: string): Promise<void> {
  heading('4. A retry gets lost: an agent that used to ask twice asks once, and covers it up')
  const { before, error } = await loseTheRetry(dir)
  say(indent(`Recorded: "${before}"\nReplayed without the second attempt:\n`))
  say(indent(indent(paint.bad(error.message))))
}

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'reprise-demo-'))
  try {
    await incident(join(dir, 'prod-delete'))
    await fullReplay(join(dir, 'prod-delete'))
    heading(`3. The breakpoint replay: what came before is recorded, ${toolName} and what follows run live`)
    await breakpointReplay(join(dir, 'prod-delete'), 'Before the fix', 'ungated')
    say()
    await breakpointReplay(join(dir, 'prod-delete'), 'After the fix', 'gated')
    await lostRetry(join(dir, 'tracking'))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }

  heading('5. Where the files are')
  const width = Math.max(...files().map(([path]) => path.length))
  for (const [path, what] of files()) say(indent(`${path.padEnd(width)}  ${paint.faint(what)}`))

  heading('6. What it costs')
  say(indent(overheadTable(await withProgress('measuring', (onProgress) => measureOverhead({ onProgress })))))
}

await main()
