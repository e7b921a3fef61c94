import { expect, test } from 'vitest'
import { HARMLESS, redactor } from './samples.js'

test.each(HARMLESS)('%s stays', (text) => {
  const made = redactor()
  expect(made.text(text)).toBe(text)
  expect(made.text(JSON.stringify({ text }))).toBe(JSON.stringify({ text }))
  expect(made.takeHits()).toEqual([])
})
