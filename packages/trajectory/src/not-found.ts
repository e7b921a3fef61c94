import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nearest, RepriseError } from '@reprise/core'
import { MANIFEST_FILE } from './forms.js'
import type { Location } from './location.js'
import { quote } from './problems.js'

/** Throws `FIXTURE_NOT_FOUND` unless the place is a folder with a manifest. */
export function requireFixture(location: Location): void {
  const { said, path } = location
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true) {
    if (existsSync(join(path, MANIFEST_FILE))) return
    throw notFound(location, `${said} is a folder without ${MANIFEST_FILE}`, fixturesIn(path, said))
  }
  if (stat !== undefined) {
    const folder = basename(path) === MANIFEST_FILE ? [dirname(said)] : []
    throw notFound(location, `${said} is a file; a fixture is a folder`, folder)
  }
  const parent = dirname(path)
  if (!existsSync(parent)) throw notFound(location, `there is no ${said}, nor the folder it would be in`, [])
  const near = nearest(
    basename(path),
    names(parent).filter((name) => isFixture(join(parent, name))),
  )
  throw notFound(
    location,
    `there is no ${said}`,
    near.map((name) => join(dirname(said), name)),
  )
}

function notFound(location: Location, message: string, near: readonly string[]): RepriseError {
  const meant = near.length === 0 ? '' : `did you mean ${near.join(' or ')}? Otherwise `
  return new RepriseError('FIXTURE_NOT_FOUND', {
    message,
    details: { dir: location.said, path: location.path, nearest: near },
    next: `${meant}check the path (it counts from ${quote(process.cwd())}), or record the fixture: await record(${quote(location.said)}, run)`,
  })
}

const fixturesIn = (path: string, said: string): string[] =>
  names(path)
    .filter((name) => isFixture(join(path, name)))
    .slice(0, 3)
    .map((name) => join(said, name))

const isFixture = (path: string): boolean => existsSync(join(path, MANIFEST_FILE))

function names(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .slice(0, 1_000)
  } catch {
    return []
  }
}
