import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileNames, isSafeFileName } from '../src/file-name.js'
import { boundaryName } from './support/arbitraries.js'

test.each([
  ['delete_file@1', 'delete_file@1.json'],
  ['deleteFile@12', 'deleteFile@12.json'],
  ['搜索@1', '搜索@1.json'],
  ['a/b@1', 'a%2Fb@1.json'],
  ['../x@1', '%2E.%2Fx@1.json'],
  ['a\\b:c@1', 'a%5Cb%3Ac@1.json'],
  ['con.x@1', '%63on.x@1.json'],
  ['con@1', '%63on@1.json'],
  ['-rf@1', '%2Drf@1.json'],
  ['a@b@2', 'a%40b@2.json'],
  ['a%2Fb@1', 'a%252Fb@1.json'],
  ['é@1', '%C3%A9@1.json'],
  ['e\u0301@1', 'e%CC%81@1.json'],
  ['🚀@1', '%F0%9F%9A%80@1.json'],
  ['\ud83d@1', '%FF%D8%3D@1.json'],
  ['a.@1', 'a.@1.json'],
])('%s is kept as %s', (address, file) => {
  expect(fileNames([address])).toEqual([file])
})

test('a name that differs only in letter case gets a hash, the first one stays readable', () => {
  const names = fileNames(['Agent@1', 'agent@1', 'Agent@2', 'agent@2'])
  expect(names).toEqual([
    'Agent@1.json',
    expect.stringMatching(/^agent~[0-9a-f]{16}@1\.json$/),
    'Agent@2.json',
    expect.stringMatching(/^agent~[0-9a-f]{16}@2\.json$/),
  ])
})

test('long names are cut and told apart', () => {
  const names = fileNames([`${'x'.repeat(300)}@1`, `${'x'.repeat(301)}@1`])
  expect(new Set(names).size).toBe(2)
  for (const name of names) expect(name).toMatch(/^x{79}~[0-9a-f]{16}@1\.json$/)
})

test('all names are safe on every system and different even where letter case is lost', () => {
  const addresses = fc
    .uniqueArray(fc.tuple(boundaryName, fc.integer({ min: 1, max: 3 })), { selector: (pair) => pair.join('@') })
    .map((pairs) => pairs.map(([name, index]) => `${name}@${index}`))
  fc.assert(
    fc.property(addresses, (list) => {
      const files = fileNames(list)
      expect(new Set(files.map((file) => file.normalize('NFKC').toLowerCase())).size).toBe(list.length)
      for (const file of files) {
        expect(isSafeFileName(file)).toBe(true)
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual(143)
        expect(file.normalize('NFD')).toBe(file)
        expect(file).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\./i)
      }
    }),
  )
})

test.each([
  '../a@1.json',
  'a/b@1.json',
  'a\\b@1.json',
  '/etc@1.json',
  'a\0@1.json',
  '.a@1.json',
  'trajectory.json',
  'a@1.txt',
  'nul.@1.json',
  'C:a@1.json',
])('a manifest may not name %j', (file) => {
  expect(isSafeFileName(file)).toBe(false)
})
