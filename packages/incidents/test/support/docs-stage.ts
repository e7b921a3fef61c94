import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT, workspacePackages } from './workspace.js'

/**
 * The folder a page's code runs in. `clone` looks like this repository, where `packages/incidents` finds the packages;
 * `project` like that of somebody who has installed them.
 */
export type StageKind = 'clone' | 'project'

/** How a command ended, and what it printed on both channels, without colours. */
export interface Ran {
  readonly code: number
  readonly output: string
}

const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')

/** A temporary folder in which a page's files are written and its commands run. */
export class Stage {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-docs-')))

  constructor(kind: StageKind) {
    if (kind === 'clone') {
      this.#link('packages/incidents/node_modules', join(ROOT, 'packages', 'incidents', 'node_modules'))
      return
    }
    writeFileSync(join(this.root, 'package.json'), '{ "name": "a-user", "private": true, "type": "module" }')
    for (const { path, manifest } of workspacePackages()) this.#link(`node_modules/${manifest.name}`, path)
    for (const name of ['vitest', '@types']) this.#link(`node_modules/${name}`, join(ROOT, 'node_modules', name))
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  write(file: string, text: string): void {
    const path = join(this.root, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  /** Applies the removed, added and kept lines of a diff to a file that must hold them. */
  change(file: string, diff: string): void {
    const path = join(this.root, file)
    const lines = diff.split('\n')
    const side = (sign: '-' | '+') =>
      lines.filter((line) => line[0] !== (sign === '-' ? '+' : '-')).map((line) => line.slice(1))
    const [before, after] = [side('-').join('\n'), side('+').join('\n')]
    const parts = readFileSync(path, 'utf8').split(before)
    if (parts.length !== 2)
      throw new Error(`${file} holds what the diff takes away ${parts.length - 1} times:\n${before}`)
    writeFileSync(path, parts.join(after))
  }

  /** Runs `node …` or `npx vitest …`, as a person would type it in the stage's root. */
  async run(command: string): Promise<Ran> {
    const words = command.trim().split(/\s+/)
    if (words[0] === 'node') return this.node(words.slice(1))
    if (words[0] === 'npx' && words[1] === 'vitest') return this.node([VITEST, ...words.slice(2)])
    throw new Error(`only commands of node and npx vitest are run, and this is neither: ${command}`)
  }

  node(args: readonly string[]): Promise<Ran> {
    const { PATH = '', HOME, TMPDIR, SystemRoot } = process.env
    const env = { PATH: [dirname(process.execPath), PATH].join(delimiter), HOME, TMPDIR, SystemRoot, NO_COLOR: '1' }
    return new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: this.root, env, timeout: 45_000 }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, output: stripVTControlCharacters(stdout + stderr) })
      })
    })
  }

  #link(name: string, target: string): void {
    const path = join(this.root, name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path, 'junction')
  }
}
