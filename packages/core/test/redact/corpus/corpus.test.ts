import { describe, expect, test } from 'vitest'
import { redactor } from '../samples.js'
import { HARMLESS } from './harmless.js'
import { KEYED, LINES } from './labelled.js'
import { PLACES } from './places.js'
import { planted } from './planted.js'
import { leaks } from './recall.js'
import { TOKENS } from './tokens.js'

describe('secrets', () => {
  test('nothing of one is written, whatever its shape and carrier', () => {
    const missed: string[] = []
    for (const entry of planted()) if (leaks(entry).length > 0) missed.push(`${entry.shape} in ${entry.carrier}`)
    expect(missed).toEqual([])
  })

  test('what stands around one stays readable', () => {
    const hidden: string[] = []
    for (const { id, text, kept = [] } of [...LINES, ...PLACES]) {
      const out = redactor().text(text)
      for (const part of kept) if (!out.includes(part)) hidden.push(`${part} of ${id}`)
    }
    expect(hidden).toEqual([])
  })

  test('there are at least 120 shapes', () => {
    expect(TOKENS.length + LINES.length + PLACES.length + KEYED.length).toBeGreaterThan(120)
  })
})

describe('look-alikes', () => {
  const carried = (text: string) => [
    text,
    `Here: ${text}\nend`,
    JSON.stringify({ text }),
    JSON.stringify(JSON.stringify([text])),
  ]

  test.each(HARMLESS)('%s stay', (_, texts) => {
    const made = redactor()
    expect(texts.flatMap(carried).filter((text) => made.text(text) !== text)).toEqual([])
  })

  test('there are at least 300', () => {
    expect(HARMLESS.reduce((sum, [, texts]) => sum + texts.length, 0)).toBeGreaterThan(300)
  })
})
