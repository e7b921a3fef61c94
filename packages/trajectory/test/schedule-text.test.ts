import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTurns, writeTurns } from '../src/index.js'
import { turns } from './support/arbitraries.js'

test('parsing undoes writing', () => {
  fc.assert(
    fc.property(turns, (all) => {
      const text = JSON.parse(JSON.stringify(writeTurns(all))) as string[][]
      expect(parseTurns(text)).toEqual(all)
      expect(writeTurns(parseTurns(text))).toEqual(text)
    }),
  )
})

test('each kind of mark has its text', () => {
  const text = [['0 +agent@1', '5<2 .feed@1', '6<5 $feed@1', '|', '4 xfeed@1', '0 *3'], ['7 E']]
  expect(parseTurns(text)).toEqual([
    [
      { type: '+', address: 'agent@1', round: 0, burst: 0 },
      { type: '.', address: 'feed@1', round: 5, pulled: 2, burst: 0 },
      { type: '$', address: 'feed@1', round: 6, pulled: 5, burst: 0 },
      { type: 'x', address: 'feed@1', round: 4, burst: 1 },
      { type: '*', timer: 3, round: 0, burst: 1 },
    ],
    [{ type: 'E', round: 7, burst: 2 }],
  ])
  expect(writeTurns(parseTurns(text))).toEqual(text)
})

test.each([
  ['+a@1'],
  ['0 +a'],
  ['0 ?a@1'],
  ['0 *0'],
  ['0 E1'],
  ['|'],
  ['0 +a@1', '|'],
  ['0 +a@1', '|', '|', '0 -a@1'],
  ['-1 +a@1'],
  [''],
])('%j is refused', (...turn) => {
  expect(() => parseTurns([turn])).toThrow(/is no mark|empty burst/)
})
