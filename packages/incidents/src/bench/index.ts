// npm run bench [-- --json] [--seed=1] [--texts=300]     seed and number of the hostile texts that are made by chance
import { measureOverhead } from '../overhead.js'
import { overheadTable } from '../overhead-table.js'
import { withProgress } from '../progress.js'
import { measureRandomCost, measureRedactionCost } from '../redaction-cost.js'
import { randomCostTable, redactionCostTable } from '../redaction-cost-table.js'
import { measureReplayCost } from '../replay-cost.js'
import { replayCostTable } from '../replay-cost-table.js'
import { repeatFullReplays } from './repeat.js'

const json = process.argv.includes('--json')
const number = (name: string, otherwise: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise)
const [texts, seed] = [number('texts', 300), number('seed', 1)]

const overhead = await withProgress('measuring', (onProgress) => measureOverhead({ onProgress }))
const replayCosts = await withProgress('pricing replays', (onProgress) => measureReplayCost({ onProgress }))
const redactionCosts = await withProgress('redacting', async (onProgress) => measureRedactionCost({ onProgress }))
const randomCosts = await withProgress('redacting texts made by chance', async (onProgress) =>
  measureRandomCost({ texts, seed, onProgress }),
)
const repeated = await withProgress('replaying', (onProgress) => repeatFullReplays(1000, onProgress))

if (json) {
  console.log(JSON.stringify({ overhead, replayCosts, redactionCosts, randomCosts, repeated }, null, 2))
} else {
  console.log(overheadTable(overhead))
  console.log(`\n${replayCostTable(replayCosts)}`)
  console.log(`\n${redactionCostTable(redactionCosts)}`)
  console.log(`\n${randomCostTable(randomCosts, texts)}`)
  console.log(`\n${repeated.replays} full replays of each incident: ${repeated.deviations} deviated`)
}
