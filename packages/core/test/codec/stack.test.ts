import { expect, test } from 'vitest'
import { portableStack } from '../../src/codec/stack.js'

const here = process.cwd()

test('nothing of the machine is left, and nothing of ours', () => {
  const stack = [
    'RangeError: at the end (of it)',
    '  in two lines',
    `    at search (${here}/src/agent.ts:3:7)`,
    `    at async file://${here}/src/main.mjs:10:1`,
    '    at call (/home/somebody/app/node_modules/.pnpm/sdk@1/node_modules/sdk/dist/index.js:1:2)',
    '    at Object.<anonymous> (/home/somebody/elsewhere/tool.js:9:9)',
    '    at new Client (C:\\work\\client.js:4:4)',
    '    at runInFrame (file:///x/node_modules/@reprise/core/dist/index.js:27:3)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    '    at async Promise.all (index 0)',
  ].join('\n')
  expect(portableStack(stack)).toBe(
    [
      'RangeError: at the end (of it)',
      '  in two lines',
      '    at search (src/agent.ts:3:7)',
      '    at async src/main.mjs:10:1',
      '    at call (node_modules/sdk/dist/index.js:1:2)',
      '    at Object.<anonymous> (tool.js:9:9)',
      '    at new Client (client.js:4:4)',
      '    at async Promise.all (index 0)',
    ].join('\n'),
  )
})
