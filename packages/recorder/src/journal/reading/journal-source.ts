import type { Json } from '@reprise/core'
import { blobLengths, type JournalCut, readContent, readFrames } from './frame-reader.js'
import { IntList, isInt32 } from './int-list.js'
import { JournalBytes } from './journal-bytes.js'
import { type JournalEvent, valuesOf } from './journal-event.js'
import { BadNode, refersBack, type Tables, ValueReader } from './value-reader.js'

/** Unpacked frames that are kept at hand. */
const MAX_UNPACKED = 64

interface Content {
  readonly texts: readonly unknown[]
  readonly nodes: readonly unknown[]
  readonly blobs: readonly string[]
}

const NO_BLOBS: readonly number[] = []

/** One file of a journal: what its frames say of themselves, and their contents, which are read when they are needed. */
export class JournalSource implements Pick<Tables, 'shape' | 'text'> {
  private readonly bytes: JournalBytes
  private readonly shapes = new Map<number, readonly string[]>()
  private readonly names = new Map<number, string>()
  /** Of each frame: where it begins, how long it is, and the number of the first text that it may bring. */
  private readonly offsets: number[] = []
  private readonly lengths = new IntList()
  private readonly firstTexts = new IntList()
  private readonly blobs = new Map<number, readonly number[]>()
  private readonly unpacked = new Map<number, Content>()

  constructor(readonly path: string) {
    this.bytes = new JournalBytes(path)
  }

  /** Tells the events of the file in order, up to the first damage. */
  read(tell: (event: JournalEvent) => void): JournalCut | undefined {
    let cut: JournalCut | undefined
    const isRead = this.bytes.lookThrough(() => {
      cut = readFrames(this.bytes, (meta, offset, length) => this.take(meta, offset, length, tell))
    })
    return isRead ? cut : { offset: 0, bytes: 0, reason: 'unreadable' }
  }

  name(number: unknown): string | undefined {
    return this.names.get(number as number)
  }

  shape(number: number): readonly string[] | undefined {
    return this.shapes.get(number)
  }

  text(number: number): string | undefined {
    const { firstTexts } = this
    let [low, high] = [0, firstTexts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (firstTexts.at(middle) <= number) low = middle + 1
      else high = middle
    }
    const text = low === 0 ? undefined : this.content(low - 1).texts[number - firstTexts.at(low - 1)]
    return typeof text === 'string' ? text : undefined
  }

  /** The value at a place of a frame. Throws {@link BadNode}. */
  value(frame: number, place: number, base: Json | undefined): Json {
    const { blobs } = this.content(frame)
    const tables: Tables = {
      shape: (number) => this.shape(number),
      text: (number) => this.text(number),
      blob: (at) => blobs[at],
    }
    return new ValueReader(tables).value(this.node(frame, place), base)
  }

  /** Whether a value can only be read together with the one that it is written against. Throws {@link BadNode}. */
  refersBack(frame: number, place: number): boolean {
    return refersBack(this.node(frame, place))
  }

  private node(frame: number, place: number): unknown {
    const { nodes } = this.content(frame)
    if (place >= nodes.length) throw new BadNode('a value that is not there')
    return nodes[place]
  }

  private take(meta: readonly unknown[], offset: number, length: number, tell: (event: JournalEvent) => void): void {
    const [events, firstText, firstShape, shapes, firstName, names] = meta
    add(this.names, firstName, names, (name) => (typeof name === 'string' ? name : undefined))
    add(this.shapes, firstShape, shapes, (keys) => this.keysOf(keys))
    const frame = this.offsets.push(offset) - 1
    this.lengths.push(length)
    this.firstTexts.push(isInt32(firstText) ? firstText : frame === 0 ? 0 : this.firstTexts.at(frame - 1))
    const blobs = meta.length > 6 ? blobLengths(meta) : undefined
    if (blobs !== undefined) this.blobs.set(frame, blobs)
    if (!Array.isArray(events)) return
    let place = 0
    for (const event of events as unknown[]) {
      if (!Array.isArray(event) || !Number.isSafeInteger(event[1])) continue
      const values = valuesOf(event)
      // Where the next event's values begin is unknown from here on.
      if (values === undefined) return
      tell({ kind: event[0] as number, run: event[1] as number, meta: event, source: this, frame, place })
      place += values
    }
  }

  private content(frame: number): Content {
    const { unpacked } = this
    let content = unpacked.get(frame)
    unpacked.delete(frame)
    content ??= this.unpack(frame)
    unpacked.set(frame, content)
    if (unpacked.size > MAX_UNPACKED) unpacked.delete(unpacked.keys().next().value as number)
    return content
  }

  private unpack(frame: number): Content {
    const blobs = this.blobs.get(frame) ?? NO_BLOBS
    let read: ReturnType<typeof readContent>
    try {
      read = readContent(this.bytes, this.offsets[frame] as number, this.lengths.at(frame), blobs)
    } catch (cause) {
      throw new BadNode('a frame whose content can not be read', { cause })
    }
    const [texts, nodes] = Array.isArray(read.content) ? (read.content as unknown[]) : []
    if (!Array.isArray(texts) || !Array.isArray(nodes)) throw new BadNode('a frame without content')
    return { texts, nodes, blobs: read.texts }
  }

  private keysOf(numbers: unknown): readonly string[] | undefined {
    if (!Array.isArray(numbers)) return undefined
    const keys = (numbers as unknown[]).flatMap((number) => this.names.get(number as number) ?? [])
    return keys.length === numbers.length && new Set(keys).size === keys.length ? keys : undefined
  }
}

function add<T>(
  table: Map<number, T>,
  first: unknown,
  entries: unknown,
  read: (entry: unknown) => T | undefined,
): void {
  if (typeof first !== 'number' || !Array.isArray(entries)) return
  for (const [at, entry] of entries.entries()) {
    const known = read(entry)
    if (known !== undefined) table.set(first + at, known)
  }
}
