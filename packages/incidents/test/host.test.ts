import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inRepository } from '../src/places.js'

const PUBLISHED = ['core', 'trajectory', 'recorder', 'replayer']

/** Classes of the language of which a subclass changes what the engine assumes of all their instances. */
const PROTECTED = /\bclass(?: \w+)? extends (?:String|Array|RegExp|Promise|Map|Set|\w*Array|ArrayBuffer|Function)\b/

test('no published class is a subclass of what the host uses everywhere: each slows the whole process', () => {
  const files = PUBLISHED.flatMap((name) => {
    const dir = inRepository(`packages/${name}/src`)
    return readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((file) => join(dir, file))
  }).filter((file) => file.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(200)
  expect(files.filter((file) => PROTECTED.test(readFileSync(file, 'utf8')))).toEqual([])
  expect(PROTECTED.test('class Text extends String {')).toBe(true)
})
