// node .ci/task.mjs <test|demo|bench|recall|laws|fuzz|kills|setup|build|typecheck> [arguments]
// Needs Node and npm only: pnpm itself is brought by npx, at the version package.json pins.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const env = {
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter),
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
}

/** Runs a command at the root. With `quiet`, its output is shown only when it fails. */
function run(command, args, { quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env,
      shell: process.platform === 'win32',
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    })
    const output = []
    child.stdout?.on('data', (chunk) => output.push(chunk))
    child.stderr?.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`)
      resolve(1)
    })
    child.on('close', (code, signal) => {
      if (code !== 0 && output.length > 0) process.stderr.write(Buffer.concat(output))
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1))
    })
  })
}

const turboOptions = ['--output-logs=errors-only', '--continue=dependencies-successful']
const turbo = (...tasks) => ['turbo', ['run', ...tasks, ...turboOptions], { quiet: true }]

const steps = {
  install: {
    says: 'installing dependencies',
    does: ['npx', ['-y', packageManager, 'install', '--frozen-lockfile'], { quiet: true }],
  },
  lint: { says: 'linting', does: ['biome', ['check', '--error-on-warnings', '.'], { quiet: true }] },
  build: { says: 'building', does: turbo('build') },
  typecheck: { says: 'building and checking types', does: turbo('build', 'typecheck') },
  configTypes: { says: 'checking types of the workspace files', does: ['tsc', ['-p', '.'], { quiet: true }] },
  tests: { says: 'running the tests', does: ['vitest', ['run', ...reporters()]] },
}

function reporters() {
  const report = process.env.REPRISE_TEST_REPORT
  return report ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : []
}

const program = (path, args) => ({ says: `running ${path}`, does: ['node', [join(root, path), ...args]] })

const tasks = {
  setup: () => [steps.install, steps.build],
  build: () => [steps.build],
  typecheck: () => [steps.typecheck, steps.configTypes],
  test: () => [steps.install, steps.lint, steps.typecheck, steps.configTypes, steps.tests],
  demo: (args) => [steps.install, steps.build, program('packages/incidents/dist/demo.js', args)],
  laws: (args) => [steps.install, steps.build, program('.ci/laws.mjs', ['laws', ...args])],
  fuzz: (args) => [steps.install, steps.build, program('.ci/laws.mjs', ['fuzz', ...args])],
  recall: (args) => [steps.install, program('.ci/recall.mjs', args)],
  kills: (args) => [steps.install, steps.build, program('packages/incidents/dist/kills/index.js', args)],
  bench: (args) => [steps.install, steps.build, program('packages/incidents/dist/bench/index.js', args)],
}

async function main([name, ...args]) {
  if (!Object.hasOwn(tasks, name ?? '')) {
    console.error(`usage: node .ci/task.mjs <${Object.keys(tasks).join('|')}> [arguments]`)
    return 2
  }
  const plan = tasks[name](args)
  if (plan[0] !== steps.install && !existsSync(join(root, 'node_modules', '.bin'))) plan.unshift(steps.install)

  for (const [index, { says, does }] of plan.entries()) {
    console.log(`[${index + 1}/${plan.length}] ${says}`)
    const started = performance.now()
    const code = await run(...does)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    if (code !== 0) {
      console.error(`[${index + 1}/${plan.length}] ${says}: failed after ${seconds} s (exit code ${code})`)
      return code
    }
  }
  return 0
}

process.exitCode = await main(process.argv.slice(2))
