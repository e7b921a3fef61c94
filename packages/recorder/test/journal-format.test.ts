import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { model, tool } from '@reprise/core'
import { unpack } from 'msgpackr'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRecorder, loadRun } from '../src/index.js'

// Reads a journal by what docs/journal-format.md says, and by nothing else.

type Node = any

interface Frame {
  readonly meta: readonly any[]
  readonly content: readonly [texts: string[], values: Node[]]
  readonly blobs: readonly string[]
}

function lebAt(bytes: Buffer, at: number): [number: number, end: number] {
  let number = 0
  for (let place = 0; ; place += 1) {
    const unit = bytes.readUInt8(at + place)
    number += (unit & 127) * 128 ** place
    if (unit < 128) return [number, at + place + 1]
  }
}

function* framesOf(file: Buffer): Generator<Frame> {
  expect(file.subarray(0, 8).toString('hex')).toBe('5250 5253 4a02 0d0a'.replaceAll(' ', ''))
  for (let at = 8; at < file.length; ) {
    const [length, begin] = lebAt(file, at + 4)
    expect(crc32(file.subarray(at + 4, begin + length))).toBe(file.readUInt32LE(at))
    const [metaLength, meta] = lebAt(file, begin)
    const told = unpack(file.subarray(meta, meta + metaLength)) as any[]
    const lengths = (told[6] ?? []) as number[]
    let blob = begin + length - lengths.reduce((all, one) => all + one, 0)
    const content = unpack(file.subarray(meta + metaLength, blob)) as Frame['content']
    const blobs = lengths.map((size) => {
      blob += size
      return file.toString('utf8', blob - size, blob)
    })
    yield { meta: told, content, blobs }
    at = begin + length
  }
}

class Tables {
  readonly names = new Map<number, string>()
  readonly shapes = new Map<number, string[]>()
  readonly texts = new Map<number, string>()

  add({ meta, content: [texts] }: Frame): void {
    const [, firstText, firstShape, shapes = [], firstName, names = []] = meta
    for (const [at, name] of names.entries()) this.names.set(firstName + at, name)
    for (const [at, keys] of shapes.entries())
      this.shapes.set(
        firstShape + at,
        keys.map((key: number) => this.names.get(key)),
      )
    for (const [at, text] of texts.entries()) this.texts.set(firstText + at, text)
  }

  value(node: Node, base: any, blobs: readonly string[]): any {
    if (typeof node === 'number' && Number.isInteger(node) && node < 0) return this.texts.get(-1 - node)
    if (!Array.isArray(node)) return node
    const [kind, ...rest] = node
    const inner = (one: Node, key: string | number): any => this.value(one, base?.[key], blobs)
    if (kind === 1) return base
    if (kind === 5) return rest[0]
    if (kind === 6) return blobs[rest[0]]
    if (kind === 0) {
      const out: any[] = []
      for (const item of rest) {
        if (Array.isArray(item) && item[0] === 2) out.push(...base.slice(item[1], item[1] + item[2]))
        else out.push(inner(item, out.length))
      }
      return out
    }
    if (kind === 3) {
      const out = { ...base }
      const keys = Object.keys(base)
      for (let at = 0; at < rest.length; at += 2)
        out[keys[rest[at]] as string] = inner(rest[at + 1], keys[rest[at]] as string)
      return out
    }
    if (kind === 4) return Object.fromEntries(pairs(rest).map(([key, one]) => [key, inner(one, key)]))
    const keys = this.shapes.get(kind) as string[]
    return Object.fromEntries(keys.map((key, at) => [key, inner(rest[at], key)]))
  }
}

const pairs = (list: any[]): [any, any][] =>
  list.flatMap((one, at) => (at % 2 === 0 ? [[one, list[at + 1]] as [any, any]] : []))

/** The crossings of a run in one file. */
function crossingsOf(file: Buffer, id: string): any[] {
  const tables = new Tables()
  const crossings = new Map<number, any>()
  const facts = new Map<string, any>()
  let run: number | undefined
  let began = 0
  for (const frame of framesOf(file)) {
    tables.add(frame)
    const nodes = [...frame.content[1]]
    const next = (base?: any): any => tables.value(nodes.shift(), base, frame.blobs)
    const named = (number: number): string => tables.names.get(number) as string
    for (const [kind, of, ...said] of frame.meta[0]) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, , base = 0, has = 0] = said
      const isOurs = of === run
      if (kind === 0) {
        const input = next()
        next()
        if (said[3] === id) run = of
        if (said[3] === id) crossings.set(0, { input, start: said[5] })
      } else if (kind === 1) {
        const name = named(b)
        const input = next(isOurs && base !== 0 ? crossings.get(base).input : undefined)
        const meta = has === 1 ? next(facts.get(`${of} ${name}`)) : {}
        if (has === 1) facts.set(`${of} ${name}`, meta)
        if (!isOurs) continue
        began += f
        crossings.set(a, {
          address: `${name}@${c}`,
          kind: named(d),
          parent: e,
          input,
          meta,
          began,
          chunks: [],
          outcome: { type: 'pending' },
        })
      } else if (kind === 2) {
        const [, , took = 0, , against = 0, hasMeta = 0, isWhole = 0] = said
        const crossing = crossings.get(a)
        const value = next(isOurs && against !== 0 ? crossings.get(against).outcome.value : undefined)
        const name = crossing?.address.split('@')[0]
        if (hasMeta === 1) facts.set(`${of} ${name}`, Object.assign({}, next(facts.get(`${of} ${name}`))))
        if (!isOurs) continue
        if (hasMeta === 1) crossing.meta = facts.get(`${of} ${name}`)
        crossing.outcome = isWhole === 1 ? value : { type: 'returned', value }
        crossing.took = took
        if (crossing.outcome.type === 'streamed' && crossing.outcome.chunks.length === 0)
          crossing.outcome.chunks = crossing.chunks
      } else if (kind === 3) {
        if (c === 1) next()
      } else if (kind === 4) {
        const { chunks } = isOurs ? crossings.get(a) : { chunks: [] }
        chunks.push(next(c === 1 ? chunks.at(-1) : undefined))
      } else if (kind === 8) {
        next()
        if (e === 1) next()
      }
    }
  }
  crossings.delete(0)
  return [...crossings.values()]
}

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-by-the-page-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it.each(['crossing', 'turn'] as const)('a journal can be read by what its page says (%s)', async (durability) => {
  const ask = model(
    'ask',
    async (messages: readonly object[]) => ({ role: 'assistant', content: `answer ${messages.length} of them` }),
    {
      meta: (_, { content }) => ({ model: 'one of the models', tokens: content.length }),
    },
  )
  const said = model('said', async function* (words: readonly string[]) {
    for (const word of words) yield { word, of: 'all the words' }
  })
  const note = tool('note', (value: unknown) => ({ noted: value }))
  const fail = tool('fail', () => {
    throw new RangeError('much too far')
  })
  const outer = tool('outer', async (n: number) => note(n))
  const recorder = createRecorder({ journal: dir, durability })
  await recorder.run({ id: 'a', input: { said: 'what the run was given' } }, async () => {
    const history: object[] = [{ role: 'system', content: 'be brief and helpful' }]
    for (let turn = 0; turn < 80; turn += 1) {
      history.push({ role: 'user', content: `the question of turn ${turn}` }, await ask(history))
      await outer(-turn)
    }
    for await (const _ of said(['a', 'b', 'c'])) {
    }
    note(['x'.repeat(70_000), -1, -2.5, 0, 1e21, null, true, { 'a key of more': { deep: [[]] } }])
    note(Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`key ${n}`, n])))
    try {
      fail()
    } catch {
      // As agents do.
    }
  })
  await recorder.close()
  const [file] = readdirSync(dir)
  const read = crossingsOf(readFileSync(join(dir, file as string)), 'a')
  const { envelopes, startedAt } = loadRun(dir, 'a')
  expect(read.map(({ address }) => address)).toEqual(envelopes.map(({ address }) => address))
  for (const [at, envelope] of envelopes.entries()) {
    const { address, kind, input, meta, began, took, parent, outcome } = read[at]
    const { atMs: _, ...timeless } = envelope.outcome as any
    const { atMs: __, ...own } = outcome
    expect({ address, kind, input, meta, outcome: own }).toEqual({
      ...{ address: envelope.address, kind: envelope.kind, input: envelope.input, meta: envelope.meta },
      outcome: timeless,
    })
    expect(took / 1_000).toBeCloseTo(envelope.durationMs, 3)
    expect(startedAt + began / 1_000).toBeCloseTo(envelope.startedAt, 2)
    expect(parent === 0 ? null : read[parent - 1].address).toBe(envelope.parent)
  }
})
