// Loads, seals and replays fixtures that somebody has tampered with. Says on stdout how each ended, and what it left.
import { isRepriseError, tool } from '@reprise/core'
import { replay } from '@reprise/replayer'
import { checkTrajectory, loadTrajectory, sealTrajectory } from '@reprise/trajectory'

const [, , good, ...dirs] = process.argv
const look = tool('look', async (query) => query)
const agent = async () => Object.keys(await look({ q: 1 })).length

const holders = [Object, Array, Function, Error, Map, Set, Promise, RegExp, Date, String, Number, Symbol]
const state = () =>
  JSON.stringify([
    ...holders.map((holder) =>
      [Reflect.ownKeys(holder), Reflect.ownKeys(holder.prototype)].map((keys) => keys.map(String)),
    ),
    Object.getOwnPropertyNames(globalThis).sort(),
    process.listenerCount('unhandledRejection'),
  ])

const attempt = async (act) => {
  try {
    await act()
    return 'ok'
  } catch (error) {
    return isRepriseError(error) ? error.code : `${error?.name}: ${error?.message}`.slice(0, 200)
  }
}

const play = async (dir) => {
  // Of one alone, only what takes long is tried.
  const whole = dirs.length > 1
  return {
    ...(whole && { check: await attempt(() => checkTrajectory(dir)), load: await attempt(() => loadTrajectory(dir)) }),
    seal: await attempt(() => sealTrajectory(dir)),
    replay: await attempt(() => replay(dir, agent)),
    ...(whole && { live: await attempt(() => replay(dir, agent, { breakpoint: 'look@1' })) }),
  }
}

// What the first replay of a process loads and registers is no trace of a fixture.
await play(good)
const before = state()
const ends = []
for (const dir of dirs) ends.push(await play(dir))
process.stdout.write(JSON.stringify({ ends, unchanged: state() === before, polluted: {}.polluted ?? null }))
