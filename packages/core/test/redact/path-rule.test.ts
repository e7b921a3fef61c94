import { describe, expect, test } from 'vitest'
import { coversPath, pathSteps, readPathPattern } from '../../src/redact/path-rule.js'
import { redactor } from './samples.js'

describe('steps of a path', () => {
  test.each<[string, string[] | undefined]>([
    ['input.0.user.ssn', ['input', '0', 'user', 'ssn']],
    ['input.0["a.b"].c', ['input', '0', 'a.b', 'c']],
    ['input["with \\"quotes\\""]', ['input', 'with "quotes"']],
    ['["a b"]["c"]', ['a b', 'c']],
    ['', undefined],
    ['a..b', undefined],
    ['a.', undefined],
    ['a[0]', undefined],
    ['a["b"]c', undefined],
  ])('%s', (path, steps) => {
    expect(pathSteps(path)).toEqual(steps)
  })
})

describe('patterns', () => {
  test.each<[string, string, boolean]>([
    ['input.0.user.ssn', 'input.0.user.ssn', true],
    ['input.0.user.ssn', 'input.0.user.name', false],
    ['input.0.user.ssn', 'input.1.user.ssn', false],
    ['input.*.ssn', 'input.0.ssn', true],
    ['input.*.ssn', 'input.0.user.ssn', false],
    ['input.0.user.**.iban', 'input.0.user.iban', true],
    ['input.0.user.**.iban', 'input.0.user.a.b.c.iban', true],
    ['input.0.user.**.iban', 'input.0.other.iban', false],
    ['input.**', 'input.0.a', true],
    ['input.**', 'outcome.value', false],
    ['**.ssn', 'outcome.value.rows.3.ssn', true],
    ['*.ssn', 'input.0.user.ssn', true],
    ['*.ssn', 'input.0.user.ssn_hash', false],
    ['ssn', 'meta.ssn', true],
    ['user["a.b"]', 'input.0.user["a.b"]', true],
    ['user["a.b"]', 'input.0.user.a.b', false],
    ['input.0.user', 'input.0.user.name.first', true],
    ['input.0.user.name', 'input.0.user', false],
    ['**.a.**.b.**.c', 'input.a.a.b.x.b.c', true],
    ['**.a.**.b.**.c', 'input.a.b.a.b', false],
  ])('%s covers %s: %s', (pattern, path, covered) => {
    expect(coversPath(readPathPattern(pattern) ?? [], pathSteps(path) ?? [])).toBe(covered)
  })

  test('many ** do not make a long path slow', () => {
    const pattern = readPathPattern(Array.from({ length: 40 }, () => '**.a').join('.')) ?? []
    const steps = Array.from({ length: 4_000 }, () => 'a')
    expect(coversPath([...pattern, 'never'], steps)).toBe(false)
  })
})

test('a redactor says which rule covers a path', () => {
  const made = redactor({ add: [{ id: 'tax', paths: ['**.tax.*'] }], paths: ['*.ssn'] })
  expect(made.hasPathRules).toBe(true)
  expect(made.pathRule('input.0.tax.id')).toBe('tax')
  expect(made.pathRule('input.0.user.ssn')).toBe('path')
  expect(made.pathRule('input.0.user.name')).toBeUndefined()
  expect(made.pathRule('input.0.user.name')).toBeUndefined()
  expect(redactor().hasPathRules).toBe(false)
})

test('steps of any number in a row cost no more than one', () => {
  const pattern = readPathPattern(`${'**.'.repeat(100_000)}x`) ?? []
  expect(pattern).toEqual(['**', 'x'])
  expect(coversPath(pattern, ['input', '0', 'x'])).toBe(true)
  expect(coversPath(pattern, ['input', '0', 'y'])).toBe(false)
})
