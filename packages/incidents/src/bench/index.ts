// npm run bench [-- --json]
import { measureOverhead } from '../overhead.js'
import { overheadTable } from '../overhead-table.js'
import { withProgress } from '../progress.js'
import { measureRedactionCost } from '../redaction-cost.js'
import { redactionCostTable } from '../redaction-cost-table.js'
import { measureReplayCost } from '../replay-cost.js'
import { replayCostTable } from '../replay-cost-table.js'
import { repeatFullReplays } from './repeat.js'

const json = process.argv.includes('--json')

const overhead = await withProgress('measuring', (onProgress) => measureOverhead({ onProgress }))
const replayCosts = await withProgress('pricing replays', (onProgress) => measureReplayCost({ onProgress }))
const redactionCosts = await withProgress('redacting', async (onProgress) => measureRedactionCost({ onProgress }))
const repeated = await withProgress('replaying', (onProgress) => repeatFullReplays(1000, onProgress))

if (json) {
  console.log(JSON.stringify({ overhead, replayCosts, redactionCosts, repeated }, null, 2))
} else {
  console.log(overheadTable(overhead))
  console.log(`\n${replayCostTable(replayCosts)}`)
  console.log(`\n${redactionCostTable(redactionCosts)}`)
  console.log(`\n${repeated.replays} full replays of each incident: ${repeated.deviations} deviated`)
}
