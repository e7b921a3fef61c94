import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatAddress, isBoundaryName, parseAddress } from '../src/index.js'

const names = fc.string({ minLength: 1, unit: 'binary' }).filter(isBoundaryName)

it('reads what it writes, whatever the name holds', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 1e9 }), (name, index) => {
      expect(parseAddress(formatAddress(name, index))).toEqual({ name, index })
    }),
  )
})

it('splits at the last @', () => {
  expect(parseAddress('mail@home@2')).toEqual({ name: 'mail@home', index: 2 })
})

it.each([
  '',
  'agent',
  '@1',
  'agent@',
  'agent@0',
  'agent@-1',
  'agent@1.5',
  'agent@x',
  ' agent@1',
  'agent @1',
  'agent@01',
])('%j is no address', (text) => expect(parseAddress(text)).toBeUndefined())
