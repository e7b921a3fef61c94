import type { Json } from '@reprise/core'
import { FileTables } from './file-tables.js'
import { BLOB_LENGTHS, packFrame } from './frames.js'
import type { Node } from './nodes.js'
import { ValueWriter } from './value-writer.js'

/** An event of the journal: what happened as numbers and short lists. Its values stand in the frame's content, in order. */
export type EventMeta = readonly unknown[]

/** What is to be written with the next frame of one journal file. */
export class Batch {
  readonly tables = new FileTables()
  private readonly writer = new ValueWriter(this.tables)
  private events: EventMeta[] = []
  private nodes: Node[] = []

  /** Bytes that the frame will have, about. */
  get weight(): number {
    return this.writer.weight
  }

  get isEmpty(): boolean {
    return this.events.length === 0
  }

  /** A value of the next event, and the value it is likely to repeat. */
  value(json: Json, base?: Json): void {
    this.nodes.push(this.writer.node(json, base))
  }

  event(meta: EventMeta): void {
    this.events.push(meta)
    this.writer.weight += 2 * meta.length
  }

  /** The frame of all events since the last. Its bytes hold until the next frame, of any batch. */
  take(): Buffer {
    const { events, nodes, writer } = this
    const { blobs } = writer
    this.events = []
    this.nodes = []
    writer.blobs = []
    writer.weight = 0
    const { firstText, texts, firstShape, shapes, firstName, names } = this.tables.takeNew()
    const meta: unknown[] = [events, firstText]
    const hasBlobs = blobs.length > 0
    if (hasBlobs || shapes.length + names.length > 0) meta.push(firstShape, shapes, firstName, names)
    if (hasBlobs) meta[BLOB_LENGTHS] = blobs.map((text) => Buffer.byteLength(text))
    return packFrame({ meta, content: [texts, nodes], blobs })
  }
}
