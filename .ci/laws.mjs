// npm run laws [-- <agents> [<first seed>]]    the laws of record and replay over random agents
// npm run fuzz [-- <changes> [<first seed>]]   what a stranger may do to a fixture
// Both are tests of the normal run, here with far more cases: in rounds, each with a seed of its own. Without a seed they
// are cases that nobody has seen before.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const LAWS = {
  laws: { of: 'agents', all: 100_000, aRound: 10_000, tests: ['--project', 'replayer', 'test/laws-'] },
  fuzz: { of: 'changes', all: 200_000, aRound: 20_000, tests: ['--project', 'trajectory', 'test/fuzz'] },
}

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const [name, ...numbers] = process.argv.slice(2)
const law = LAWS[name]
const [cases = law?.all, firstSeed = 1 + Math.floor(Math.random() * 1_000_000)] = numbers.map(Number)
if (!(cases > 0) || !(firstSeed >= 0)) {
  console.error(
    `usage: npm run ${law === undefined ? '<laws|fuzz>' : name} [-- <${law?.of ?? 'cases'}> [<first seed>]]`,
  )
  process.exit(2)
}

function round(runs, seed) {
  return new Promise((resolve) => {
    const env = { ...process.env, REPRISE_LAW_RUNS: String(runs), REPRISE_LAW_SEED: String(seed) }
    const args = ['run', ...law.tests, '--reporter=dot']
    const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('close', (code) => resolve({ held: code === 0, output: Buffer.concat(output).toString() }))
  })
}

let done = 0
let broken = 0
for (let seed = firstSeed; done < cases; seed += 1) {
  const runs = Math.min(law.aRound, cases - done)
  const started = performance.now()
  const { held, output } = await round(runs, seed)
  done += runs
  if (!held) broken += 1
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`${done} of ${cases} ${law.of}: seed ${seed} ${held ? 'holds' : 'BROKEN'} (${seconds} s)`)
  if (!held) console.log(output)
}
process.exitCode = broken === 0 ? 0 : 1
