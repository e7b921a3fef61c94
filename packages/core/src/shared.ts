// On globalThis and with a version: the ESM and the CJS copy, or two installed versions, must share one run.
const KEY = Symbol.for('reprise.context.1')
const host = globalThis as { [KEY]?: Record<string, object> }
host[KEY] ??= {}
const parts = host[KEY]

/** A part of what all copies of this package in the process have in common; the first that asks makes it. */
export function shared<T extends object>(part: string, make: () => T): T {
  parts[part] ??= make()
  return parts[part] as T
}
