// npm run kills [-- 1000] [--seed=1]     kills recording processes and says what their journals have lost
import { withProgress } from '../progress.js'
import { killMany, killTable } from './many-kills.js'

const given = process.argv.slice(2)
const seed = Number(given.find((arg) => arg.startsWith('--seed='))?.slice('--seed='.length) ?? Date.now())
const count = Number(given.find((arg) => /^\d+$/.test(arg)) ?? 1_000)

const kills = await withProgress('killing', (onProgress) => killMany(count, onProgress, seed))
console.log(killTable(kills))
console.log(`\nseed ${seed}; owed is what the journal had to have, by its durability`)
for (const { durability, moment, wrong } of kills) {
  for (const fault of wrong) console.log(`wrong (${durability}, inside ${moment}): ${fault}`)
}
if (kills.some(({ lost, wrong }) => lost + wrong.length > 0)) process.exitCode = 1
