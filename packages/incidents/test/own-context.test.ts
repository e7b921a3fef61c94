import { afterAll, expect, it } from 'vitest'
import { Stage } from './support/docs-stage.js'

const stage = new Stage('project')
afterAll(() => stage.remove())

// As jest does it: code has the language's classes of its own, the host's globals, and no `import()`.
const RUNNER = `
  const { readFileSync } = require('node:fs')
  const { createRequire, isBuiltin } = require('node:module')
  const { dirname } = require('node:path')
  const vm = require('node:vm')
  exports.runIn = (agentFile) => {
  const context = vm.createContext({})
  const language = new Set(vm.runInContext('Object.getOwnPropertyNames(globalThis)', context))
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!language.has(name)) context[name] = globalThis[name]
  Object.assign(context, { global: context, console, Uint8Array, ArrayBuffer })
  const loaded = new Map()
  const load = (file) => {
    if (loaded.has(file)) return loaded.get(file).exports
    const module = { exports: {} }
    loaded.set(file, module)
    const native = createRequire(file)
    const source = readFileSync(file, 'utf8')
    if (file.endsWith('.json')) return (module.exports = JSON.parse(source))
    const own = (name) => (isBuiltin(name) ? native(name) : load(native.resolve(name)))
    const body = new vm.Script('(function (exports, module, require, __filename, __dirname) {' + source + '\\n})', { filename: file })
    body.runInContext(context)(module.exports, module, Object.assign(own, native), file, dirname(file))
    return module.exports
  }
  return { context, module: load(agentFile) }
  }`

it('a runner that loads CommonJS in a context without import() records, exports and replays', async () => {
  stage.write('runner.cjs', RUNNER)
  stage.write(
    'agent.cjs',
    `const { tool } = require('@reprise/core')
    const { record } = require('@reprise/recorder')
    const { replay, checkGuard } = require('@reprise/replayer')
    const search = tool('search', async (query) => ({ query, found: new Map([[1, new Date(0)]]) }))
    const stop = tool('stop', async () => { throw new DOMException('enough', 'AbortError') })
    const agent = async () => {
      const { found } = await search(['a'])
      const error = await stop().catch((error) => error)
      return [found instanceof Map, error instanceof DOMException, error.name, error.code]
    }
    const main = async () => {
      const { trajectory } = await record('fixture', agent, { journal: false })
      const replayed = await replay('fixture', agent)
      const other = await replay('fixture', () => search(['b'])).catch(({ code }) => code)
      const leak = tool('leak', async () => 'ghp_' + 'Ab1'.repeat(12))
      const refused = await record('leaking', () => leak(), { journal: false, redact: { remove: ['github-token'] } }).catch(({ code }) => code)
      const { leaks } = await checkGuard()
      console.log(JSON.stringify([trajectory.envelopes.map(({ lossy }) => lossy.length), replayed.value(), replayed.notes.length, other, refused, leaks]))
    }
    main()`,
  )
  stage.write('main.cjs', "require('./runner.cjs').runIn(require.resolve('./agent.cjs'))")
  const { code, output } = await stage.node(['main.cjs'])
  expect([code, output.trim()]).toEqual([
    0,
    '[[0,0],[true,true,"AbortError",20],0,"INPUT_DRIFT","SECRET_IN_FIXTURE",[]]',
  ])
})

it('contexts one after the other do not pile up on the modules of Node’s that they share', async () => {
  stage.write('runner.cjs', RUNNER)
  stage.write(
    'once.cjs',
    `const { tool } = require('@reprise/core')
    const { createRecorder } = require('@reprise/recorder')
    const { replay } = require('@reprise/replayer')
    const wait = tool('wait', () => new Promise((resolve) => setTimeout(resolve, 1)))
    module.exports = (async () => {
      let trajectory
      await createRecorder({ journal: false, onTrajectory: (one) => { trajectory = one } }).run({ id: 'a' }, () => wait())
      await replay(trajectory, () => wait())
    })()`,
  )
  stage.write(
    'many.cjs',
    `const modules = { setTimeout: require('node:timers'), randomUUID: require('node:crypto') }
    Error.stackTraceLimit = Infinity
    let depth
    for (const [name, owner] of Object.entries(modules)) {
      const native = owner[name]
      owner[name] = (...given) => {
        depth = new Error().stack.split('\\n').length
        return native(...given)
      }
    }
    const depthOf = (call) => (call(), depth)
    const depths = () => [depthOf(() => modules.setTimeout.setTimeout(() => {}, 0)), depthOf(() => modules.randomUUID.randomUUID())]
    const { runIn } = require('./runner.cjs')
    const main = async () => {
      const seen = new Set()
      for (let times = 0; times < 6; times += 1) {
        await runIn(require.resolve('./once.cjs')).module
        seen.add(depths().join())
      }
      console.log(seen.size)
    }
    main()`,
  )
  const { code, output } = await stage.node(['many.cjs'])
  expect([code, output.trim()]).toEqual([0, '1'])
})
