import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode, type Json } from '@reprise/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Batch } from '../src/journal/batch.js'
import { EVENTS } from '../src/journal/events.js'
import { JOURNAL_MAGIC } from '../src/journal/frames.js'
import { JournalSource } from '../src/journal/reading/journal-source.js'
import { BadNode, ValueReader } from '../src/journal/reading/value-reader.js'

const dir = mkdtempSync(join(tmpdir(), 'reprise-values-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** A value goes through frames as the end of a crossing whose outcome is written against the one before. */
function through(values: readonly Json[], perFrame: number): Json[] {
  const batch = new Batch()
  const frames: Buffer[] = [JOURNAL_MAGIC]
  let base: Json | undefined
  for (const [at, value] of values.entries()) {
    batch.value(value, base)
    batch.event([EVENTS.end, 1, at + 1, 0, 0])
    base = value
    if ((at + 1) % perFrame === 0) frames.push(Buffer.from(batch.take()))
  }
  if (!batch.isEmpty) frames.push(Buffer.from(batch.take()))
  const file = join(dir, 'values.journal')
  writeFileSync(file, Buffer.concat(frames))
  const source = new JournalSource(file)
  const out: Json[] = []
  const cut = source.read(({ frame, place }) => out.push(source.value(frame, place, out.at(-1))))
  expect(cut).toBeUndefined()
  return out
}

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'a text long enough for the table', 'ein längerer Text — auch er', '😀'.repeat(20)),
  fc.constantFrom('x'.repeat(64 * 1024), 'ÿ'.repeat(70_000)),
)
const keys = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.constantFrom('__proto__', 'constructor', '__keys__', 'toJSON', '0', '10'),
)
const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-1, 2 ** 53, -(2 ** 53), 1e21),
)
const json: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    texts,
    numbers.map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 6 }),
    fc.array(fc.tuple(keys, tie('json')), { maxLength: 6 }).map((entries) => {
      const made = {}
      for (const [key, value] of entries)
        Object.defineProperty(made, key, { value, enumerable: true, writable: true, configurable: true })
      return made
    }),
  ),
})).json

/** A row of values that share parts with the ones before, as recorded ones do. */
const rows = fc.array(json, { minLength: 1, maxLength: 5 }).chain((parts) =>
  fc.array(fc.array(fc.nat(parts.length - 1), { maxLength: 8 }), { minLength: 1, maxLength: 8 }).map((picks) => {
    let before: Json | undefined
    return picks.map((pick, at) => {
      const value = pick.map((place) => structuredClone(parts[place]))
      before = encode(at % 2 === 0 ? value : { list: value, at }, 'value', undefined, 'kept', before).json
      return before
    })
  }),
)

describe('a value that went through a journal', () => {
  it('is what it was, key order and all, in one frame or in many', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 4 }), (values, perFrame) => {
        expect(through(values, perFrame).map((value) => JSON.stringify(value))).toEqual(
          values.map((value) => JSON.stringify(value)),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('is what it was where little of it changes at a time', () => {
    const edits = fc.array(fc.tuple(fc.nat(5), json), { maxLength: 10 })
    fc.assert(
      fc.property(fc.array(json, { minLength: 6, maxLength: 6 }), edits, fc.boolean(), (parts, changes, asList) => {
        const values: Json[] = []
        const now = [...parts]
        for (const [place, part] of changes) {
          now[place] = part
          values.push(asList ? [...now] : Object.fromEntries(now.map((one, at) => [`key ${at}`, one])))
        }
        expect(through(values, 2).map((value) => JSON.stringify(value))).toEqual(
          values.map((value) => JSON.stringify(value)),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('may have become nothing', () => {
    const wide = { a: 'a', b: 'b', c: [1, 2], d: { e: 'e' }, f: 1 }
    const values: Json[] = [wide, { ...wide, a: null }, { ...wide, a: null, d: null }, wide, { ...wide, f: 0 }]
    expect(through([...values, { ...wide, a: false }, { ...wide, a: '' }], 2)).toEqual([
      ...values,
      { ...wide, a: false },
      { ...wide, a: '' },
    ])
  })

  it('costs little where it repeats the one before', () => {
    const message = (n: number): Json => ({ role: 'user', content: `message number ${n}, as long as messages are` })
    const batch = new Batch()
    const history = Array.from({ length: 100 }, (_, n) => message(n))
    const size = (now: Json, before?: Json): number => {
      batch.value(now, before)
      batch.event([EVENTS.end, 1, 1, 0, 0])
      return batch.take().length
    }
    const first = size(history)
    expect(size([...history, message(100)], history)).toBeLessThan(first / 20)
    const system = history[0] as Json
    expect(size([system, ...history.slice(3), message(101)], history)).toBeLessThan(first / 20)
    expect(size([system, message(102), ...history.slice(1)], history)).toBeLessThan(first / 20)
  })

  it('has more kinds of objects, longer lists of keys and more texts than the tables hold', () => {
    const values = Array.from({ length: 6_000 }, (_, n): Json => ({ [`key ${n}`]: `a text that is number ${n}`, n }))
    const wide = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, n]))
    expect(through([...values, wide, ...values.slice(0, 10), wide], 100)).toEqual([
      ...values,
      wide,
      ...values.slice(0, 10),
      wide,
    ])
  })
})

describe('nodes that no writer makes', () => {
  const tables = {
    shape: (number: number) => (number === 16 ? ['a', 'b'] : undefined),
    text: (number: number) => (number === 0 ? 'text' : undefined),
    blob: () => undefined,
  }
  const read = (node: unknown, base?: Json): Json => new ValueReader(tables).value(node, base)

  it.each([
    ['a reference to no base', [1]],
    ['a part of no list', [0, [2, 0, 1]]],
    ['a part outside of the list', [0, [2, 1, 5]], [1, 2]],
    ['a part at no number', [0, [2, 'x', 1]], [1, 2]],
    ['a change of no object', [3, 0, 1], [1]],
    ['a change of no key', [3, 7, 1], { a: 1 }],
    ['a change of a change without end', [3, 0], { a: 1 }],
    ['a key that is no text', [4, 1, 2]],
    ['a text that is not there', -2],
    ['a blob that is not there', [6, 0]],
    ['a shape that is not there', [17, 1]],
    ['too few values', [16, 1]],
    ['too many', [16, 1, 2, 3]],
    ['a kind that is none', [9, 1]],
    ['no kind', [[], 1]],
    ['nothing', []],
    ['undefined', undefined],
    ['a map', new Map()],
    ['an endless number', Number.POSITIVE_INFINITY],
    ['no number', [5, 'x']],
  ])('are refused: %s', (_, node: unknown, base?: unknown) => {
    expect(() => read(node, base as Json)).toThrow(BadNode)
  })

  it('are refused where little stands for very much', () => {
    const list = read([0, ...Array.from({ length: 1_000 }, () => 1)])
    const often = [0, ...Array.from({ length: 1_000 }, () => [2, 0, 1])]
    const lists = read(often, [list])
    expect(() => read(often, [lists])).toThrow('too many values')
    const long = read([0, 'x'.repeat(64_000_000), 'short'])
    expect(() => read([0, ...Array.from({ length: 1_000 }, () => [2, 0, 2])], long)).toThrow('too many values')
  })
})
