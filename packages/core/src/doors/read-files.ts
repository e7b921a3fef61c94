import { constants } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DoorTarget } from '../run.js'

type Given = readonly unknown[]

/** The files at the given places of the argument list. */
export function filesAt(places: readonly number[], follows: boolean): (given: Given) => DoorTarget {
  return (given) => ({ kind: 'write', files: places.map((at) => fileOf(given[at])), follows })
}

/** Of `mkdtemp(prefix)`. */
export const prefixTarget = ([prefix]: Given): DoorTarget => ({
  kind: 'write',
  files: [`${fileOf(prefix)}XXXXXX`],
  follows: false,
})

/** Of a method of a file handle. */
export const handleTarget = (_: Given, self: unknown): DoorTarget => ({
  kind: 'write',
  files: [fdOf(self)],
  follows: true,
})

/** Standard output and error are the process's own, not the outside. */
export const isOwnOutput = (file: unknown): boolean => file === 1 || file === 2

export const leadsPastOutput = ([file]: Given): boolean => !isOwnOutput(file)

export const handleLeadsOut = (_: Given, self: unknown): boolean => !isOwnOutput(fdOf(self))

const WRITE_BITS = constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND

/** Whether `open(path, flags)` opens for writing. */
export function opensForWriting([, flags]: Given): boolean {
  if (typeof flags === 'number') return (flags & WRITE_BITS) !== 0
  return typeof flags === 'string' && !/^(r|rs|sr)$/.test(flags)
}

function fileOf(given: unknown): string | number {
  if (typeof given === 'number' || typeof given === 'string') return given
  if (given instanceof URL) return given.protocol === 'file:' ? fileURLToPath(given) : given.href
  if (given instanceof Uint8Array) return Buffer.from(given).toString()
  const fd = fdOf(given)
  return fd >= 0 ? fd : String(given)
}

/** Of a `FileHandle`, also one that another realm made; -1 for anything else. */
function fdOf(handle: unknown): number {
  const { fd } = (handle ?? {}) as { fd?: unknown }
  return typeof fd === 'number' ? fd : -1
}
