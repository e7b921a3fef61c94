// npm run bench [-- --json]
import { measureOverhead } from '../overhead.js'
import { overheadTable } from '../overhead-table.js'
import { withProgress } from '../progress.js'
import { repeatFullReplays } from './repeat.js'

const json = process.argv.includes('--json')

const overhead = await withProgress('measuring', (onProgress) => measureOverhead({ onProgress }))
const repeated = await withProgress('replaying', (onProgress) => repeatFullReplays(1000, onProgress))

if (json) {
  console.log(JSON.stringify({ overhead, repeated }, null, 2))
} else {
  console.log(overheadTable(overhead))
  console.log(`\n${repeated.replays} full replays of each incident: ${repeated.deviations} deviated`)
}
