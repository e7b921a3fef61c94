import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RepriseError } from '@reprise/core'

/** A fixture's folder: as it was said, for messages, and absolute, for the file system. */
export interface Location {
  readonly said: string
  readonly path: string
}

/** Takes a folder as text, from the working directory, or as a file URL. Throws `BAD_OPTION` for anything else. */
export function locate(dir: string | URL): Location {
  if (typeof dir === 'string' && dir !== '' && !dir.includes('\0')) {
    if (!dir.startsWith('file://')) return { said: dir.replace(/(?<=[^/\\])[/\\]+$/, ''), path: resolve(dir) }
    return fromUrl(dir)
  }
  if (dir instanceof URL) return fromUrl(dir.href)
  throw bad(typeof dir === 'string' ? JSON.stringify(dir) : `a ${typeof dir}`)
}

function fromUrl(href: string): Location {
  try {
    const path = resolve(fileURLToPath(href))
    return { said: path, path }
  } catch {
    throw bad(href)
  }
}

const bad = (what: string): RepriseError =>
  new RepriseError('BAD_OPTION', {
    message: `${what} names no folder of a fixture`,
    details: { given: what },
    next: "give a path such as 'fixtures/prod-delete', from the working directory, or a file URL: new URL('./fixtures/prod-delete', import.meta.url)",
  })
