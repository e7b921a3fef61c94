// node doomed.js <folder> <durability> [journal]     a process that records until it is killed, or has told its story
import fs, { openSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { Durability } from '@reprise/recorder'
import { answer, deed, result, runId, STORY, words } from './story.js'
import { MARKS, traceLine } from './trace.js'

const [folder = '.', durability = 'crossing', journal = join(folder, 'journal')] = process.argv.slice(2)
const trace = openSync(join(folder, 'trace'), 'a')
const deeds = openSync(join(folder, 'deeds'), 'a')
const { writeSync } = fs
const note = (mark: string, word?: string): void => void writeSync(trace, traceLine(mark, word))

// Before the recorder is loaded, which takes what it writes with: so it is seen when it writes.
fs.writeSync = ((...args: Parameters<typeof writeSync>) => {
  note(MARKS.writeBegins)
  try {
    return writeSync(...args)
  } finally {
    note(MARKS.writeEnds)
  }
}) as typeof writeSync
syncBuiltinESMExports()
const { model, tool } = await import('@reprise/core')
const { createRecorder } = await import('@reprise/recorder')

/** A history, and a page that was never seen before, whose first and last parts tell when they are looked at. */
const watched = (history: readonly unknown[], turn: number): object => ({
  get first() {
    note(MARKS.captureBegins)
    return 'first'
  },
  history,
  page: Array.from({ length: 400 }, (_, at) => ({ line: `${process.pid} ${turn} ${at} lorem ipsum dolor`, at })),
  get last() {
    note(MARKS.captureEnds)
    return 'last'
  },
})

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function tell(run: number): Promise<string> {
  const address = (name: string, n: number): string => `${runId(run)} ${name}@${n}`
  let asked = 0
  const ask = model('ask', async (_shown: object) => {
    asked += 1
    const n = asked
    if ((run + n) % 3 === 0) await later(1)
    return answer('ask', run, n)
  })
  let done = 0
  const act = tool('act', async (_wanted: object) => {
    done += 1
    const n = done
    note(MARKS.toolBegins, address('act', n))
    writeSync(deeds, `${deed(run, n)}\n`)
    if (n % 4 === 1) await later(1)
    note(MARKS.toolEnds, address('act', n))
    return answer('act', run, n)
  })
  const speak = model('speak', async function* () {
    for (const word of words(run)) {
      await new Promise((resolve) => setImmediate(resolve))
      yield { word }
    }
  })
  const history: unknown[] = []
  for (let turn = 1; turn <= STORY.turns; turn += 1) {
    history.push(await ask(watched(history, turn)))
    note(MARKS.settled, address('ask', turn))
    const [first, second] = await Promise.all([act({ turn, part: 1 }), act({ turn, part: 2 })])
    note(MARKS.settled, address('act', turn * 2 - 1))
    note(MARKS.settled, address('act', turn * 2))
    history.push(first, second)
  }
  for await (const _ of speak());
  note(MARKS.settled, address('speak', 1))
  return result(run, STORY)
}

/** Opens files until there are no more. */
function takeAllFiles(): void {
  try {
    for (let at = 0; at < 10_000; at += 1) openSync('/dev/null', 'r')
  } catch {
    // Now they are all taken.
  }
}

const recorder = createRecorder({
  journal,
  durability: durability as Durability,
  onProblem: ({ code }) => note(MARKS.problem, code),
})
if (process.env.TAKE_ALL !== undefined) takeAllFiles()
let ended = false
const turn = (): void => {
  note(MARKS.turn)
  if (!ended) setImmediate(turn)
}
turn()
note(MARKS.ready)
const runs = Number(process.env.RUNS ?? STORY.runs)
for (let run = 1; run <= runs; run += 1) {
  note(MARKS.returned, await recorder.run({ id: runId(run), input: { run } }, () => tell(run)))
}
await recorder.close()
ended = true
