import { isDeepStrictEqual } from 'node:util'
import { replay } from '@reprise/replayer'
import { loadTrajectory } from '@reprise/trajectory'
import { incidents } from '../all-incidents.js'
import { fixture } from '../places.js'

/** Replays every incident many times over and counts the replays that did not come out like the first. */
export async function repeatFullReplays(replays: number, onProgress: (share: number) => void) {
  let deviations = 0
  for (const [index, incident] of incidents.entries()) {
    const trajectory = await loadTrajectory(fixture(incident.name))
    const once = async () => {
      const result = await replay(trajectory, incident.agent('ungated'))
      return [
        result.value(),
        result.liveCalls,
        result.crossings().map(({ address, input, outcome }) => [address, input, outcome]),
      ]
    }
    const first = await once()
    for (let time = 1; time < replays; time++) {
      const same = await once().then(
        (result) => isDeepStrictEqual(result, first),
        () => false,
      )
      if (!same) deviations += 1
      if (time % 100 === 0) {
        onProgress((index + time / replays) / incidents.length)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  }
  return { replays, deviations }
}
