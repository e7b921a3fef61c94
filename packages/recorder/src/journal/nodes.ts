import type { Json } from '@reprise/core'

/**
 * A recorded value as a journal file has it: text shorter than {@link INTERNED_CHARS}, a number, a boolean or null
 * stands for itself, but a negative whole number for a text of the file's table, -1 for the first; everything else is a list that begins with one of {@link NODES} or with the number of a shape, whose
 * values follow in the order of its keys. A node may refer to the base, the value at the same place of an earlier
 * crossing of the boundary.
 */
export type Node = null | boolean | number | string | readonly Node[]

export const NODES = {
  /** `[list, …items]`; an item `[run, from, count]` stands for items of the base's list. */
  list: 0,
  /** `[same]`: the base itself. */
  same: 1,
  run: 2,
  /** `[changed, place, value, …]`: the base's object with other values under some of its keys. */
  changed: 3,
  /** `[dictionary, key, value, …]`: an object of a shape that is not kept. */
  dictionary: 4,
  /** `[negative, number]`: a negative whole number. */
  negative: 5,
  /** `[blob, place]`: a text that stands behind the frame. */
  blob: 6,
} as const

/** The number of the first shape. */
export const FIRST_SHAPE = 16

/** Texts of so many UTF-16 units stand once in a file's table. */
export const INTERNED_CHARS = 8

/** Texts of so many are no part of what is packed: the packer's buffer would stay as large for ever. */
export const BLOB_CHARS = 64 * 1024

/** Whether a value is worth a reference: the reference itself takes two bytes. */
export const isReferable = (value: Json | undefined): boolean =>
  typeof value === 'string' ? value.length > 2 : typeof value === 'object' && value !== null
