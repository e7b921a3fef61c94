import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT, type WorkspacePackage } from './workspace.js'

const exec = promisify(execFile)
const pnpm = join(ROOT, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')

/**
 * Makes `project` a project with the given packages installed from their tarballs. What they depend on outside the
 * workspace is linked from the workspace's own installation, so nothing is fetched.
 */
export async function installPacked(packages: readonly WorkspacePackage[], project: string): Promise<void> {
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'a-user', private: true }))
  await Promise.all(packages.map((each) => installOne(each, project)))
}

async function installOne({ folder, path, manifest }: WorkspacePackage, project: string): Promise<void> {
  const tarballs = join(project, 'tarballs', folder)
  const modules = join(project, 'node_modules')
  const target = join(modules, manifest.name)
  mkdirSync(tarballs, { recursive: true })
  mkdirSync(target, { recursive: true })

  await exec(process.execPath, [pnpm, 'pack', '--pack-destination', tarballs], { cwd: path })
  const [tarball] = readdirSync(tarballs)
  if (!tarball) throw new Error(`pnpm pack left no tarball of ${manifest.name}`)
  await exec('tar', ['-xzf', join(tarballs, tarball), '--strip-components=1', '-C', target])

  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (name.startsWith('@reprise/')) continue
    const link = join(modules, name)
    mkdirSync(dirname(link), { recursive: true })
    try {
      symlinkSync(realpathSync(join(path, 'node_modules', name)), link, 'junction')
    } catch (error) {
      // Two packages may depend on the same one.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const load = {
  import: (name: string) => ['--input-type=module', '-e', print(`await import('${name}')`)],
  require: (name: string) => ['--input-type=commonjs', '-e', print(`require('${name}')`)],
}

const print = (loaded: string) => `console.log(JSON.stringify(Object.keys(${loaded}).sort()))`

/** The names a package exports when a process in `project` loads it one way or the other. */
export async function exportedNames(project: string, name: string, how: keyof typeof load): Promise<string[]> {
  const { stdout } = await exec(process.execPath, load[how](name), { cwd: project })
  return JSON.parse(stdout)
}
