import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileTexts } from './file-texts.js'
import { makeFolders, removeEmpty } from './make-folders.js'

/**
 * Makes a folder of files appear at once, in the place of the one that is there. Everything is written beside it
 * first; until the last rename the old folder is whole, and it comes back when that rename fails. `keep` names
 * entries of the old folder that are taken over. Throws what the file system throws, with nothing left behind.
 */
export function swapFolder(path: string, files: FileTexts, keep: readonly string[]): void {
  const parent = dirname(path)
  const made = makeFolders(parent)
  const mark = randomBytes(6).toString('hex')
  // Short names of their own: one made from the folder's name could be too long.
  const staged = join(parent, `.reprise-${mark}.new`)
  try {
    writeAll(staged, files)
    for (const name of keep) cpSync(join(path, name), join(staged, name), COPY)
    replace(path, staged, join(parent, `.reprise-${mark}.old`))
  } catch (error) {
    rmSync(staged, { recursive: true, force: true })
    for (const folder of made.reverse()) removeEmpty(folder)
    throw error
  }
}

const COPY = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, errorOnExist: true, force: false }

function writeAll(folder: string, files: FileTexts): void {
  mkdirSync(folder)
  const made = new Set<string>([folder])
  for (const [name, text] of files) {
    const file = join(folder, name)
    const home = dirname(file)
    if (!made.has(home)) {
      mkdirSync(home)
      made.add(home)
    }
    writeFileSync(file, text, { flag: 'wx' })
  }
}

/** Puts `staged` in the place of `path`; what stood there is put aside and then removed. */
export function replace(path: string, staged: string, aside: string): void {
  if (!existsSync(path)) {
    renameSync(staged, path)
    return
  }
  renameSync(path, aside)
  try {
    renameSync(staged, path)
  } catch (error) {
    renameSync(aside, path)
    throw error
  }
  // The new folder stands. Not being able to remove the old one is no reason to say that the export failed.
  try {
    rmSync(aside, { recursive: true, force: true, maxRetries: 3 })
  } catch {}
}
