import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
}

export interface WorkspacePackage {
  /** The folder's name under `packages/`. */
  readonly folder: string
  readonly path: string
  readonly manifest: Manifest
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

export function workspacePackages(): WorkspacePackage[] {
  return readdirSync(join(ROOT, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const path = join(ROOT, 'packages', name)
      return { folder: name, path, manifest: readManifest(path) }
    })
}

/** The TypeScript files under each package's `src`, by their path from the root, written with slashes. */
export function workspaceSources(): Map<string, string> {
  const files = new Map<string, string>()
  for (const { path } of workspacePackages()) {
    for (const entry of readdirSync(join(path, 'src'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.[cm]?tsx?$/.test(entry.name)) continue
      const file = join(entry.parentPath, entry.name)
      files.set(relative(ROOT, file).split(sep).join('/'), readFileSync(file, 'utf8'))
    }
  }
  return files
}
