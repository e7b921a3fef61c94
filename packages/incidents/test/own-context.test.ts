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
  load(require.resolve('./agent.cjs'))`

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
  const { code, output } = await stage.node(['runner.cjs'])
  expect([code, output.trim()]).toEqual([
    0,
    '[[0,0],[true,true,"AbortError",20],0,"INPUT_DRIFT","SECRET_IN_FIXTURE",[]]',
  ])
})
