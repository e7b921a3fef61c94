// npm run bench [-- --json] [--seed=1] [--texts=300] [--segment=10000] [--envelopes=100000] [--picture=docs/recording.svg]
// seed and number of the hostile texts that are made by chance; crossings in each of the ten segments of a long run;
// envelopes of the largest recording that is read
import { existsSync, writeFileSync } from 'node:fs'
import { loadRuns } from '../airline/load-runs.js'
import { recordingPicture } from '../chart/recording-picture.js'
import { measureOverhead } from '../overhead.js'
import { overheadTable } from '../overhead-table.js'
import { inRepository } from '../places.js'
import { withProgress } from '../progress.js'
import { measureListing, measureReading } from '../reading/cost.js'
import { readingTable } from '../reading/table.js'
import { measureGrowth, measureRecordingCost } from '../recording-cost.js'
import { chatSize, deskSize, HISTORIES, incidentSize } from '../recording-size.js'
import { growthTable, recordingCostTable, recordingSizeTable } from '../recording-table.js'
import { measureRandomCost, measureRedactionCost } from '../redaction-cost.js'
import { randomCostTable, redactionCostTable } from '../redaction-cost-table.js'
import { measureReplayCost } from '../replay-cost.js'
import { replayCostTable } from '../replay-cost-table.js'
import { repeatFullReplays } from './repeat.js'

const json = process.argv.includes('--json')
const number = (name: string, otherwise: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise)
const [texts, seed, segment] = [number('texts', 300), number('seed', 1), number('segment', 10_000)]

const overhead = await withProgress('measuring', (onProgress) => measureOverhead({ onProgress }))
const recordingCosts = await withProgress('recording', (onProgress) => measureRecordingCost({ onProgress }))
const growth = await withProgress('recording a long run', (onProgress) => measureGrowth(10, segment, onProgress))
const airline = inRepository('../shared/data/airline-runs.jsonl.gz')
const sizes = [
  await incidentSize(1),
  await incidentSize(1_000),
  ...(await Promise.all(HISTORIES.map((history) => chatSize(200, history)))),
  await chatSize(2_000, 'live'),
  ...(existsSync(airline) ? [await deskSize(await loadRuns(airline))] : []),
]
const envelopes = number('envelopes', 100_000)
const readingCosts = await withProgress('reading', (onProgress) =>
  measureReading([envelopes / 100, envelopes / 10, envelopes], 3, onProgress),
)
const listing = { runs: envelopes / 10, ms: await measureListing(envelopes / 10) }
const replayCosts = await withProgress('pricing replays', (onProgress) => measureReplayCost({ onProgress }))
const redactionCosts = await withProgress('redacting', async (onProgress) => measureRedactionCost({ onProgress }))
const randomCosts = await withProgress('redacting texts made by chance', async (onProgress) =>
  measureRandomCost({ texts, seed, onProgress }),
)
const [file] = process.argv.flatMap((arg) => (arg.startsWith('--picture=') ? [arg.slice('--picture='.length)] : []))
if (file !== undefined) writeFileSync(file, recordingPicture(recordingCosts, growth, readingCosts))
const repeated = await withProgress('replaying', (onProgress) => repeatFullReplays(1000, onProgress))

if (json) {
  console.log(
    JSON.stringify(
      {
        overhead,
        recordingCosts,
        growth,
        sizes,
        readingCosts,
        listing,
        replayCosts,
        redactionCosts,
        randomCosts,
        repeated,
      },
      null,
      2,
    ),
  )
} else {
  console.log(overheadTable(overhead))
  console.log(`\n${recordingCostTable(recordingCosts)}`)
  console.log(`\n${growthTable(growth)}`)
  console.log(`\n${recordingSizeTable(sizes)}`)
  console.log(`\n${readingTable(readingCosts)}`)
  console.log(`\n${listing.runs} runs are listed in ${listing.ms.toFixed(0)} ms`)
  console.log(`\n${replayCostTable(replayCosts)}`)
  console.log(`\n${redactionCostTable(redactionCosts)}`)
  console.log(`\n${randomCostTable(randomCosts, texts)}`)
  console.log(`\n${repeated.replays} full replays of each incident: ${repeated.deviations} deviated`)
}
