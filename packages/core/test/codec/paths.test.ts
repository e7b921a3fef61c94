import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getPath } from '../../src/codec/document.js'
import { encode } from '../../src/codec/encode.js'
import { formatPath, formatStep, matchPath, parsePath } from '../../src/codec/paths.js'

describe('paths', () => {
  it.each([
    [['a', 0, 'b'], 'a.0.b'],
    [['a.b', 'c d'], '["a.b"]["c d"]'],
    [['a', 'b]', 'c'], 'a["b]"].c'],
    [['', '*', "it's", 'x"y'], '[""]["*"]["it\'s"]["x\\"y"]'],
    [[], ''],
  ])('%j is written %s', (steps, text) => {
    expect(formatPath('', steps)).toBe(text)
  })

  it('begin with their root', () => {
    expect(formatPath('outcome.value', ['rows', 0])).toBe('outcome.value.rows.0')
    expect(formatPath('input', ['a b'])).toBe('input["a b"]')
    expect(formatStep('a') + formatStep(1) + formatStep('a.b')).toBe('.a.1["a.b"]')
  })

  it('are read as they are written', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('__proto__'))), (steps) => {
        expect(parsePath(formatPath('', steps))).toEqual(steps)
      }),
    )
  })

  it.each(['a..b', '.', 'a.', '["a"', '["a]', 'a[0]', '["\\x"]', 'a b', '"a"'])('%s is no path', (text) => {
    expect(parsePath(text)).toBeUndefined()
  })

  it.each([
    ['input.0.a', 'input.0.a', true],
    ['input.*.a', 'input.0.a', true],
    ['input.*', 'input.0.a', false],
    ['**', '', true],
    ['**', 'input.0.a', true],
    ['**.a', 'input.0.a', true],
    ['input.**.a', 'input.a', true],
    ['input.**.a', 'input.b.c.a', true],
    ['input.**.a', 'input.b.a.c', false],
    ['**.a.**.b.*', 'x.a.y.a.z.b.c', true],
    ['*', '', false],
    ['["*"]', 'a', false],
    ['["*"].a', '["*"].a', true],
    ['["**"]', 'a.b', false],
    ['a["b.c"]', 'a["b.c"]', true],
    ['a..', 'a', false],
  ])('%s against %s: %s', (pattern, path, matched) => {
    expect(matchPath(pattern, path)).toBe(matched)
  })

  it('patterns full of stars end', () => {
    expect(matchPath(`${'**.a.'.repeat(30)}b`, Array(300).fill('a').join('.'))).toBe(false)
  })
})

describe('getPath', () => {
  const shared = { deep: ['x'] }
  const value = {
    shared,
    // biome-ignore lint/suspicious/noSparseArray: holes are the point
    list: [1, , , shared],
    odd: { '\ud800': { z: 4 } },
    map: new Map([['k', { v: 1 }]]),
    esc: { $a: { b: 2 } },
    own: new (class A {
      x = { y: 3 }
    })(),
  }
  const { json } = encode(value, '')

  it.each([
    ['shared.deep.0', 'x'],
    ['list.3.deep.0', 'x'],
    ['list.1', undefined],
    ['map.0.1.v', 1],
    ['map.0.0', 'k'],
    ['esc.$a.b', 2],
    ['own.x.y', 3],
    ['odd.\ud800.z', 4],
    ['nowhere.at.all', undefined],
    ['constructor', undefined],
    ['list.length', undefined],
    ['', json],
  ])('%s', (path, found) => {
    expect(getPath(json, path)).toEqual(found)
  })

  it('goes through hoisted parts', () => {
    let deep: unknown = { end: 1 }
    for (let i = 0; i < 500; i++) deep = [deep]
    expect(getPath(encode(deep, '').json, `${'0.'.repeat(500)}end`)).toBe(1)
  })
})
