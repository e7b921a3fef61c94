import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { redactor } from './samples.js'

const FILE = fileURLToPath(new URL('../../../../../shared/data/airline-runs.jsonl.gz', import.meta.url))

test.skipIf(!existsSync(FILE))('nothing is hidden in a hundred runs of an airline agent (needs ../shared/data)', () => {
  const made = redactor()
  const hidden: string[] = []
  let texts = 0
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      texts++
      if (made.text(value) !== value) hidden.push(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (made.keyRule(key) !== undefined) hidden.push(key)
        walk(inner)
      }
    }
  }
  for (const line of gunzipSync(readFileSync(FILE)).toString('utf8').trim().split('\n')) walk(JSON.parse(line))
  expect(hidden).toEqual([])
  expect(texts).toBeGreaterThan(1_000)
})
