// npm run laws [-- <agents> [<first seed>]]
// The laws of record and replay over random agents, far more of them than in the normal test run: in rounds of 10 000,
// each with a seed of its own. Without a seed they are agents that nobody has seen before.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const A_ROUND = 10_000

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const [agents = 100_000, firstSeed = 1 + Math.floor(Math.random() * 1_000_000)] = process.argv.slice(2).map(Number)
if (!(agents > 0) || !(firstSeed >= 0)) {
  console.error('usage: npm run laws [-- <agents> [<first seed>]]')
  process.exit(2)
}

function round(runs, seed) {
  return new Promise((resolve) => {
    const env = { ...process.env, REPRISE_LAW_RUNS: String(runs), REPRISE_LAW_SEED: String(seed) }
    const args = ['run', '--project', 'replayer', 'test/laws-', '--reporter=dot']
    const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('close', (code) => resolve({ held: code === 0, output: Buffer.concat(output).toString() }))
  })
}

let done = 0
let broken = 0
for (let seed = firstSeed; done < agents; seed += 1) {
  const runs = Math.min(A_ROUND, agents - done)
  const started = performance.now()
  const { held, output } = await round(runs, seed)
  done += runs
  if (!held) broken += 1
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`${done} of ${agents} agents: seed ${seed} ${held ? 'holds' : 'BROKEN'} (${seconds} s)`)
  if (!held) console.log(output)
}
process.exitCode = broken === 0 ? 0 : 1
