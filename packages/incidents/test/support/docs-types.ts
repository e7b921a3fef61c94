import { join } from 'node:path'
import ts from 'typescript'
import { type Page, programOf } from './docs-page.js'
import { Stage } from './docs-stage.js'
import { blocksOf, wordOf } from './markdown.js'
import { ROOT } from './workspace.js'

/** What TypeScript, as strict as in this repository, has to say about the pages' code: one line each, with its place. */
export function typeProblems(pages: readonly Page[]): string[] {
  const stage = new Stage('project')
  try {
    const origins = new Map<string, { readonly page: string; readonly firstLine: number }>()
    const add = (file: string, text: string, page: string, firstLine: number): void => {
      stage.write(file, text)
      origins.set(join(stage.root, file), { page, firstLine })
    }
    pages.forEach((page, at) => {
      const program = programOf(page)
      if (program !== undefined) add(`page-${at}/page.ts`, program, page.path, 1)
      for (const block of blocksOf(page.text)) {
        const file = wordOf(block, 'file')
        if (block.language === 'ts' && file !== undefined) add(`page-${at}/${file}`, block.text, page.path, block.line)
      }
    })
    const base = ts.readConfigFile(join(ROOT, 'tsconfig.base.json'), ts.sys.readFile).config as object
    const { options } = ts.parseJsonConfigFileContent(base, ts.sys, stage.root)
    const typeRoots = [join(stage.root, 'node_modules', '@types')]
    const program = ts.createProgram([...origins.keys()], { ...options, typeRoots })
    return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, '\n')
      const origin = file && origins.get(file.fileName)
      if (file === undefined || origin === undefined) return text
      return `${origin.page}:${origin.firstLine + file.getLineAndCharacterOfPosition(start).line} ${text}`
    })
  } finally {
    stage.remove()
  }
}
