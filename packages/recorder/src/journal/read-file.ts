import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import type { Json } from '@reprise/core'
import { EVENTS } from './events.js'
import { type Frame, JOURNAL_MAGIC, type JournalCut, readFrames } from './frames.js'
import { BadNode, type Tables, ValueReader } from './value-reader.js'

/** An event as it stands in a file; nothing of it is checked but that it is of a known kind and belongs to a run. */
export interface RawEvent {
  readonly kind: number
  /** Of the run, in this file. */
  readonly run: number
  readonly meta: readonly unknown[]
  readonly names: (number: unknown) => string | undefined
  /** Its values, from 0. Throws {@link BadNode}. */
  readonly value: (place: number, base?: Json) => Json
}

/** Unpacked frames that are kept at hand. */
const MAX_UNPACKED = 64

/** How many values an event of each kind has: of those in `schema.ts`, two places on, some say it by a flag. */
const VALUES: Readonly<Record<number, (meta: readonly unknown[]) => unknown>> = {
  [EVENTS.run]: () => 2,
  [EVENTS.begin]: (meta) => 1 + Number(meta[10] ?? 0),
  [EVENTS.end]: (meta) => 1 + Number(meta[7] ?? 0),
  [EVENTS.stream]: (meta) => Number(meta[4]),
  [EVENTS.chunk]: () => 1,
  [EVENTS.again]: () => 0,
  [EVENTS.reads]: () => 0,
  [EVENTS.uncovered]: () => 0,
  [EVENTS.close]: (meta) => 1 + Number(meta[6] ?? 0),
}

/** Tells the events of a journal file in order, up to the first damage. */
export function readJournalFile(path: string, tell: (event: RawEvent) => void): JournalCut | undefined {
  const bytes = bytesOf(path)
  if (bytes === undefined) return { offset: 0, bytes: 0, reason: 'unreadable' }
  if (!bytes.subarray(0, JOURNAL_MAGIC.length).equals(JOURNAL_MAGIC)) {
    return bytes.length === 0 ? undefined : { offset: 0, bytes: bytes.length, reason: 'unreadable' }
  }
  const tables = new FileTables()
  return readFrames(bytes, (frame) => {
    for (const event of tables.eventsOf(frame)) tell(event)
  })
}

/** A journal's file; undefined when it can't be read, or is none. A pipe in its place must not be waited for. */
function bytesOf(file: string): Buffer | undefined {
  let fd: number | undefined
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    return fstatSync(fd).isFile() ? readFileSync(fd) : undefined
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

interface Content {
  readonly texts: readonly unknown[]
  readonly nodes: readonly unknown[]
}

/** What a file's frames have said so far. */
export class FileTables implements Pick<Tables, 'shape' | 'text'> {
  private readonly shapes = new Map<number, readonly string[]>()
  private readonly names = new Map<number, string>()
  private readonly frames: { readonly firstText: number; readonly frame: Frame }[] = []
  private readonly unpacked = new Map<Frame, Content>()

  eventsOf(frame: Frame): RawEvent[] {
    const [events, firstText, firstShape, shapes, firstName, names] = frame.meta
    add(this.names, firstName, names, (name) => (typeof name === 'string' ? name : undefined))
    add(this.shapes, firstShape, shapes, (keys) => this.keysOf(keys))
    if (typeof firstText === 'number') this.frames.push({ firstText, frame })
    const out: RawEvent[] = []
    let place = 0
    for (const meta of Array.isArray(events) ? (events as unknown[]) : []) {
      if (!Array.isArray(meta) || !Number.isSafeInteger(meta[1])) continue
      const [kind, run] = meta as [unknown, number]
      const values = typeof kind === 'number' ? VALUES[kind]?.(meta) : undefined
      // Where the next event's values begin is unknown from here on.
      if (typeof kind !== 'number' || typeof values !== 'number' || !(values >= 0 && values <= 2)) break
      const first = place
      place += values
      out.push({
        ...{ kind, run, meta, names: (number) => this.names.get(number as number) },
        value: (at, base) => this.value(frame, first + at, base),
      })
    }
    return out
  }

  shape(number: number): readonly string[] | undefined {
    return this.shapes.get(number)
  }

  text(number: number): string | undefined {
    const { frames } = this
    let [low, high] = [0, frames.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((frames[middle]?.firstText ?? 0) <= number) low = middle + 1
      else high = middle
    }
    const found = frames[low - 1]
    const text = found && this.contentOf(found.frame).texts[number - found.firstText]
    return typeof text === 'string' ? text : undefined
  }

  private value(frame: Frame, place: number, base: Json | undefined): Json {
    const { nodes } = this.contentOf(frame)
    if (place >= nodes.length) throw new BadNode('a value that is not there')
    const tables: Tables = {
      shape: (number) => this.shape(number),
      text: (number) => this.text(number),
      blob: frame.blob,
    }
    return new ValueReader(tables).value(nodes[place], base)
  }

  private contentOf(frame: Frame): Content {
    const { unpacked } = this
    let content = unpacked.get(frame)
    unpacked.delete(frame)
    content ??= toContent(frame)
    unpacked.set(frame, content)
    for (const oldest of unpacked.keys()) {
      if (unpacked.size <= MAX_UNPACKED) break
      unpacked.delete(oldest)
    }
    return content
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

function toContent(frame: Frame): Content {
  let content: unknown
  try {
    content = frame.content()
  } catch {
    throw new BadNode('a frame whose content can not be unpacked')
  }
  const [texts, nodes] = Array.isArray(content) ? (content as unknown[]) : []
  if (!Array.isArray(texts) || !Array.isArray(nodes)) throw new BadNode('a frame without content')
  return { texts, nodes }
}
