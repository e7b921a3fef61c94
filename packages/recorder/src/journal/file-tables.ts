import { FIRST_SHAPE } from './nodes.js'
import { TextTable } from './text-table.js'

const MAX_SHAPES = 4_096
const MAX_KEYS = 64
const MAX_NAMES = 4_096

/** A list of keys, as a node in a tree of such lists. */
interface Shape {
  /** 0 for one that no object had so far. */
  number: number
  readonly next: Map<string, Shape>
  lastKey: string | undefined
  last: Shape | undefined
}

const fresh = (): Shape => ({ number: 0, next: new Map(), lastKey: undefined, last: undefined })

/** What a frame adds to the tables of its file, each list with the number of its first entry. */
export interface NewEntries {
  readonly firstText: number
  readonly texts: readonly string[]
  readonly firstShape: number
  /** Each as the numbers of its keys, which are names. */
  readonly shapes: readonly (readonly number[])[]
  readonly firstName: number
  readonly names: readonly string[]
}

/**
 * What one journal file says once and then refers to by number: the shapes of objects, names of boundaries and keys,
 * longer texts. Numbers are never given twice, so that a reader that lost a frame lacks something and takes nothing for
 * another.
 */
export class FileTables {
  private readonly root = fresh()
  private nodes = 0
  private shapeCount = FIRST_SHAPE
  private shapes: (readonly number[])[] = []
  private readonly nameNumbers = new Map<string, number>()
  private nameCount = 0
  private names: string[] = []
  readonly texts = new TextTable()

  /** The number of a shape, or 0 for one that is not kept. */
  shape(keys: readonly string[]): number {
    if (keys.length > MAX_KEYS) return 0
    let at = this.root
    for (const key of keys) {
      if (at.lastKey === key) {
        at = at.last as Shape
        continue
      }
      let next = at.next.get(key)
      if (next === undefined) {
        if (this.nodes >= MAX_SHAPES) return 0
        this.nodes += 1
        next = fresh()
        at.next.set(key, next)
      }
      at.lastKey = key
      at.last = next
      at = next
    }
    if (at.number === 0) {
      at.number = this.shapeCount
      this.shapeCount += 1
      this.shapes.push(keys.map((key) => this.name(key)))
    }
    return at.number
  }

  name(name: string): number {
    const known = this.nameNumbers.get(name)
    if (known !== undefined) return known
    if (this.nameNumbers.size >= MAX_NAMES) this.nameNumbers.clear()
    const number = this.nameCount
    this.nameCount += 1
    this.nameNumbers.set(name, number)
    this.names.push(name)
    return number
  }

  /** What is new since it was last taken. */
  takeNew(): NewEntries {
    const { shapes, names } = this
    const texts = this.texts.takeNew()
    if (shapes.length > 0) this.shapes = []
    if (names.length > 0) this.names = []
    return {
      firstShape: this.shapeCount - shapes.length,
      shapes,
      firstName: this.nameCount - names.length,
      names,
      firstText: this.texts.count - texts.length,
      texts,
    }
  }
}
