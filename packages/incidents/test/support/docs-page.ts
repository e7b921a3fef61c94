import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { type Ran, Stage, type StageKind } from './docs-stage.js'
import { type Block, blocksOf, wordOf } from './markdown.js'
import { ROOT } from './workspace.js'

/** Languages of blocks that are run. */
const PROGRAM = new Set(['ts', 'js', 'mjs'])
/** Languages of blocks that are for reading. */
const PROSE = new Set(['text', 'json', 'md'])

/** A page of the docs, by its path from the root, and its text. */
export interface Page {
  readonly path: string
  readonly text: string
}

export const readPage = (path: string): Page => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })

/**
 * Goes down a page as its reader does, and throws with the page's line at the first thing that does not hold:
 *
 * - a block of code with `file=` is written to that file, a `diff` with `file=` is applied to it;
 * - the other blocks of code are one program, run where the last of them stands;
 * - a `sh` block's commands of `node` and `npx vitest` are run; they must succeed, or fail when it says `fails`;
 * - a `text` block right after a `sh` block is what the reader should see: each of its lines must be in the output, in
 *   this order; `…` stands for anything.
 */
export async function walk(page: Page, kind: StageKind): Promise<void> {
  const blocks = blocksOf(page.text)
  const last = blocks.findLast(isProgram)
  const stage = new Stage(kind)
  let ran: Ran | undefined
  try {
    for (const block of blocks) {
      const at = `${page.path}:${block.line}`
      const shown = ran
      ran = undefined
      const file = wordOf(block, 'file')
      if (PROGRAM.has(block.language)) {
        if (file !== undefined) stage.write(file, block.text)
        if (block === last) await runProgram(page, stage)
      } else if (block.language === 'diff' && file !== undefined) stage.change(file, block.text)
      else if (block.language === 'sh') ran = await runShell(block, stage, at)
      else if (!PROSE.has(block.language)) throw new Error(`${at} has a block of "${block.language}", which is not run`)
      else if (block.language === 'text' && shown !== undefined) mustShow(block, shown, at)
    }
  } finally {
    stage.remove()
  }
}

const isProgram = (block: Block): boolean => PROGRAM.has(block.language) && wordOf(block, 'file') === undefined

/** The page's program, each line on the line it has in the page; undefined when the page has none. */
export function programOf({ text }: Page): string | undefined {
  const blocks = blocksOf(text).filter(isProgram)
  if (blocks.length === 0) return undefined
  const lines: string[] = text.split('\n').fill('')
  for (const block of blocks) {
    const code = block.text.split('\n')
    lines.splice(block.line - 1, code.length, ...code)
  }
  return lines.join('\n')
}

async function runProgram(page: Page, stage: Stage): Promise<void> {
  const { outputText } = ts.transpileModule(programOf(page) ?? '', {
    fileName: page.path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      inlineSourceMap: true,
      inlineSources: true,
    },
  })
  stage.write('page.mjs', outputText)
  const { code, output } = await stage.node(['--enable-source-maps', 'page.mjs'])
  if (code === 0 && output === '') return
  // By the source map, Node names the page as a file of the stage, on the page's own lines.
  const said = output.replaceAll(join(stage.root, basename(page.path)), page.path)
  throw new Error(`the code of ${page.path} ${code === 0 ? 'printed' : `ended with ${code}`}:\n${said}`)
}

/** Runs the commands of a block; those it can't run are checked elsewhere. Gives what the last one printed. */
async function runShell(block: Block, stage: Stage, at: string): Promise<Ran | undefined> {
  let ran: Ran | undefined
  for (const command of commandsOf(block).filter((line) => /^(node|npx vitest) /.test(line))) {
    ran = await stage.run(command)
    const mustFail = block.words.includes('fails')
    if ((ran.code !== 0) === mustFail) continue
    throw new Error(`${at} \`${command}\` ${mustFail ? 'should fail' : `ended with ${ran.code}`}:\n${ran.output}`)
  }
  return ran
}

/** The commands of a shell block, one a line, without comments. */
export const commandsOf = ({ text }: Block): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')

function mustShow(block: Block, { output }: Ran, at: string): void {
  const lines = output.split('\n').map((line) => line.trim())
  let from = 0
  block.text.split('\n').forEach((line, offset) => {
    const wanted = line.trim()
    if (wanted === '' || wanted === '…') return
    const pattern = new RegExp(`^${wanted.split('…').map(escapeRegExp).join('.*')}$`)
    const found = lines.findIndex((shown, place) => place >= from && pattern.test(shown))
    if (found < 0)
      throw new Error(`${at.replace(/\d+$/, `${block.line + offset}`)} is not shown: ${wanted}\nbut:\n${output}`)
    from = found + 1
  })
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
