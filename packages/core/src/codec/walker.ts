import type { Json, JsonObject } from '../json.js'
import type { Step } from './paths.js'
import type { Place } from './place.js'
import type { Shown } from './shared-bytes.js'

/** What the careful walk offers to those who encode one kind of value for it. Levels count JSON nesting from 1. */
export interface Walker {
  value(value: unknown, at: Place, level: number): Json
  /** Own enumerable properties as plain data, wrapped where their keys would read as a tag. */
  properties(value: object, keys: readonly string[], at: Place, level: number): Json
  /** What stands under these names, which no loop sees; what only a getter could tell is lost. */
  hidden(value: object, names: readonly string[], at: Place, level: number): JsonObject
  items(value: readonly unknown[], at: Place, level: number): Json[]
  child(at: Place, step: Step, rule?: string): Place
  /** A text redacted and counted. */
  text(text: string, at: Place): Json
  /** The same where only a string can stand: cut or repaired when it must be. */
  line(text: string, at: Place): string
  /** The redacted text of bytes, or undefined when nothing in them is secret. */
  secretBytes(bytes: Buffer, at: Place): string | undefined
  /** The number that stands for a secret one, or undefined when no rule covers the place. */
  secretNumber(text: string, at: Place): number | undefined
  /** Remembers binary data whose bytes other data may share. */
  show(shown: Shown): void
  /** Whether so many values are still within the budget. */
  fits(count: number): boolean
  /** Counts values; false when the budget is spent. */
  take(count: number): boolean
  takeText(length: number): boolean
  /** The rule of the value beside such a label. */
  labelRule(label: unknown): string | undefined
  /** Reports an error of a class that is neither built in nor registered. */
  meetUnregistered(className: string, at: Place): void
  /** Reports that a place could not be kept exactly. */
  lose(at: Place): void
  truncated(at: Place): Json
  opaque(className: string, at: Place): Json
}
