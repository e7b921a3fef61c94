import { afterAll, expect, it } from 'vitest'
import { Stage } from './support/docs-stage.js'

const stage = new Stage('project')
afterAll(() => stage.remove())

it('boundaries made by import and by require meet in one run, and know one another’s errors', async () => {
  stage.write(
    'tool.cjs',
    `const { tool } = require('@reprise/core')
    exports.addOne = tool('cjs.add', async (n) => n + 1)
    exports.fail = tool('cjs.fail', async () => { throw new exports.Refused('no') })
    exports.Refused = class Refused extends Error {}
    require('@reprise/core').registerError(exports.Refused)
    exports.core = require('@reprise/core')
    exports.replayer = require('@reprise/replayer')`,
  )
  stage.write(
    'main.mjs',
    `import { createRequire } from 'node:module'
    import * as esm from '@reprise/core'
    import { record } from '@reprise/recorder'
    import { replay } from '@reprise/replayer'
    const { addOne, fail, Refused, core, replayer } = createRequire(import.meta.url)('./tool.cjs')
    const double = esm.tool('esm.double', async (n) => n * 2)
    const nested = esm.tool('esm.nested', (n) => addOne(n))
    const agent = async () => {
      const refused = await fail().catch((error) => error instanceof Refused)
      return [refused, await double(await addOne(1)), await nested(5)]
    }
    const { trajectory } = await record('fixture', agent, { journal: false })
    const all = [await replay('fixture', agent), await replayer.replay('fixture', agent)].map((one) => one.value())
    const failed = await replay('fixture', async () => [await fail().catch(() => true), await double(1), await double(1)])
      .then(() => 'passed', (error) => [esm, core].map(({ isRepriseError }) => isRepriseError(error, 'CALL_COUNT_MISMATCH') || isRepriseError(error, 'INPUT_DRIFT')))
    console.log(JSON.stringify({
      addresses: trajectory.envelopes.map(({ address, parent }) => [address, parent]), all, failed,
    }))`,
  )
  const { code, output } = await stage.node(['main.mjs'])
  expect([code, JSON.parse(output)]).toEqual([
    0,
    {
      addresses: [
        ['cjs.fail@1', null],
        ['cjs.add@1', null],
        ['esm.double@1', null],
        ['esm.nested@1', null],
        ['cjs.add@2', 'esm.nested@1'],
      ],
      all: [
        [true, 4, 6],
        [true, 4, 6],
      ],
      failed: [true, true],
    },
  ])
})
