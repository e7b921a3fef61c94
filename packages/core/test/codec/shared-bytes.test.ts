import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, decodeError } from '../../src/codec/decode.js'
import { firstDifference } from '../../src/codec/difference.js'
import { encode, encodeError } from '../../src/codec/encode.js'
import type { Json } from '../../src/json.js'
import { MarkingRedactor } from './marking-redactor.js'

const again = (json: Json): unknown => decode(JSON.parse(JSON.stringify(json)))

function roundTrip<T>(value: T): T {
  const { json, lossy } = encode(value, 'outcome.value')
  expect(lossy).toEqual([])
  return again(json) as T
}

type Make = (memory: ArrayBuffer, start: number, length: number) => object

const CLASSES: readonly (readonly [size: number, make: Make])[] = [
  [1, (memory, start, length) => new Uint8Array(memory, start, length)],
  [1, (memory, start, length) => Buffer.from(memory, start, length)],
  [1, (memory, start, length) => new DataView(memory, start, length)],
  [2, (memory, start, length) => new Int16Array(memory, start, length / 2)],
  [8, (memory, start, length) => new BigInt64Array(memory, start, length / 8)],
  [1, (memory) => memory],
]

const views = fc.array(fc.tuple(fc.constantFrom(...CLASSES), fc.nat(6), fc.nat(4)), { minLength: 1, maxLength: 6 })

const bytesOf = (view: object): Uint8Array =>
  ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    : new Uint8Array(view as ArrayBuffer)

/** What every piece shows after one byte of one of them was written. */
function written(pieces: readonly object[], piece: number, at: number): readonly string[] {
  const bytes = bytesOf(pieces[piece] as object)
  if (at < bytes.length) bytes[at] = 0xee ^ Number(bytes[at])
  return pieces.map((view) => Buffer.from(bytesOf(view)).toString('hex'))
}

describe('binary data that shares bytes', () => {
  it('shares them again: what is written through one shows in the same places of the others', () => {
    fc.assert(
      fc.property(views, fc.boolean(), fc.nat(5), fc.nat(7), (specs, isShared, piece, at) => {
        const size = 8 * 10 + 3
        const memory = isShared ? new SharedArrayBuffer(size) : new ArrayBuffer(size)
        new Uint8Array(memory).forEach((_, i, all) => {
          all[i] = i
        })
        const pieces = specs.map(([[unit, make], start, length]) =>
          make(memory as ArrayBuffer, start * unit, length * unit),
        )
        const copies = roundTrip(pieces)
        expect(copies.map((copy) => copy.constructor)).toEqual(pieces.map((view) => view.constructor))
        const index = piece % pieces.length
        expect(written(copies, index, at)).toEqual(written(pieces, index, at))
        for (const copy of copies) {
          const under = ArrayBuffer.isView(copy) ? copy.buffer : copy
          expect(under instanceof SharedArrayBuffer).toBe(isShared)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is one buffer where that is part of the value', () => {
    const memory = new ArrayBuffer(8)
    const copy = roundTrip({ view: new Uint8Array(memory, 2, 3), memory, far: new Map([[1, new DataView(memory, 6)]]) })
    expect(copy.view.buffer).toBe(copy.memory)
    expect([copy.view.byteOffset, copy.view.length]).toEqual([2, 3])
    expect(copy.far.get(1)?.buffer).toBe(copy.memory)
  })

  it('in an error, in a part too deep for the first, and in a file whose keys were sorted', () => {
    const bytes = Buffer.from('abcdef')
    const error = Object.assign(new Error('x'), { body: bytes, head: bytes.subarray(0, 2) })
    const copy = decodeError(JSON.parse(JSON.stringify(encodeError(error, 'outcome.error').error))) as typeof error
    copy.body[0] = 88
    expect(copy.head.toString()).toBe('Xb')
    let deep: unknown = bytes.subarray(1)
    for (let i = 0; i < 200; i++) deep = [deep]
    let [first, inner] = roundTrip([bytes, deep]) as [Buffer, unknown]
    while (Array.isArray(inner)) inner = inner[0] as unknown
    first[1] = 89
    expect(String(inner)).toBe('Ycdef')
    const { json } = encode({ z: bytes, a: bytes.subarray(1) }, 'input')
    const { z, a } = json as Record<string, Json>
    const turned = decode({ a: a as Json, z: z as Json }) as { a: Buffer; z: Buffer }
    turned.z[1] = 90
    expect([String(turned.a), String(turned.z)]).toEqual(['Zcdef', 'aZcdef'])
  })

  it('is written with no byte that none of it shows', () => {
    const pool = Buffer.from('secret-before one two secret-after!')
    const text = JSON.stringify(encode([pool.subarray(14, 17), pool.subarray(15, 21)], 'input').json)
    const kept = [...text.matchAll(/"\$bytes":"([^"]+)"/g)].map(([, base64]) => Buffer.from(String(base64), 'base64'))
    expect(kept.map(String)).toEqual(['\0\0\0\0\0\0one two'])
  })

  it('has a buffer each where nothing overlaps, as in a pool', () => {
    const pool = Buffer.from('onetwo')
    const { json } = encode([pool.subarray(0, 3), pool.subarray(3)], 'input')
    expect(json).toEqual([
      { $bytes: 'b25l', $class: 'Buffer' },
      { $bytes: 'dHdv', $class: 'Buffer' },
    ])
  })

  it('is reported where a secret was replaced in it', () => {
    const bytes = Buffer.from('the key sk-abc')
    const { json, lossy } = encode([bytes, bytes.subarray(4)], 'outcome.value', new MarkingRedactor())
    expect(lossy).toEqual(['outcome.value.1'])
    expect(Buffer.from(JSON.stringify(json)).toString()).not.toContain(Buffer.from('sk-abc').toString('base64'))
  })

  it('is equal to copies of the same bytes', () => {
    const bytes = Buffer.from('abcdef')
    const shared = encode([bytes, bytes.subarray(2)], 'input').json
    const apart = encode([Buffer.from('abcdef'), Buffer.from('cdef')], 'input').json
    const other = encode([Buffer.from('abcdef'), Buffer.from('cdeg')], 'input').json
    expect(firstDifference(shared, apart)).toBeUndefined()
    expect(firstDifference(shared, other)?.path).toBe('1')
  })

  it('may be in very many pieces', () => {
    const bytes = Buffer.from('abcdef')
    const pieces = Array.from({ length: 150_000 }, (_, i) => bytes.subarray(i % 5))
    const copies = roundTrip([bytes, ...pieces])
    ;(copies[0] as Buffer)[5] = 88
    expect(String(copies.at(-1))).toBe(String(pieces.at(-1)).replace('f', 'X'))
  })

  it('is compared piece by piece, wherever in the buffer a piece lies', () => {
    const bytes = Buffer.from('0123456789abc')
    for (let start = 0; start < 6; start++) {
      for (let end = start; end <= bytes.length; end++) {
        const shared = encode([bytes, bytes.subarray(start, end)], 'input').json
        const apart = encode([Buffer.from(bytes), Buffer.from(bytes.subarray(start, end))], 'input').json
        expect(firstDifference(apart, shared)).toBeUndefined()
      }
    }
  })

  it('a view of memory that can grow is reported', () => {
    const memory = new (ArrayBuffer as unknown as new (size: number, options: object) => ArrayBuffer)(4, {
      maxByteLength: 8,
    })
    expect(encode(new Uint8Array(memory), 'outcome.value').lossy).toEqual(['outcome.value'])
  })
})
