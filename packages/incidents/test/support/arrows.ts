import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import ts from 'typescript'

/** What the sources of each package may import, besides Node's own modules and their own files. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: ['fast-json-stable-stringify', 're2js'],
  trajectory: ['@reprise/core', '@secretlint/secretlint-rule-preset-recommend', 'zod'],
  recorder: ['@reprise/core', '@reprise/trajectory', 'msgpackr', 'zod'],
  replayer: ['@reprise/core', '@reprise/trajectory', 'zod'],
  incidents: [
    '@reprise/core',
    '@reprise/trajectory',
    '@reprise/recorder',
    '@reprise/replayer',
    'fast-check',
    'tinybench',
  ],
}

interface Import {
  readonly specifier: string
  readonly line: number
  readonly typeOnly: boolean
}

/** Paths such as `packages/core/src/index.ts`, with the text of each file. */
export type Files = ReadonlyMap<string, string>

/** Every broken rule, one line each, with the place and what to do; empty when all arrows point down. */
export function findProblems(files: Files, allowed = ALLOWED): string[] {
  const problems: string[] = []
  const edges = new Map<string, string[]>()

  for (const [path, text] of files) {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
    for (const line of starsOf(source)) {
      problems.push(`${path}:${line} says \`export *\`: name each export, so that the surface is chosen`)
    }
    const down: string[] = []
    for (const found of importsOf(source)) {
      const problem = arrowProblem(path, found.specifier, allowed)
      if (problem) problems.push(`${path}:${found.line} ${problem}`)
      const target = found.specifier.startsWith('.') ? resolve(path, found.specifier, files) : undefined
      if (target && !found.typeOnly) down.push(target)
    }
    edges.set(path, down)
  }

  for (const cycle of findCycles(edges)) {
    problems.push(`import cycle: ${cycle.join(' -> ')}: move what both need into a file below them`)
  }
  return problems
}

function arrowProblem(path: string, specifier: string, allowed: typeof ALLOWED): string | undefined {
  const owner = packageOf(path)
  const may = allowed[owner]
  if (!may) return `belongs to ${owner}, a package without a list of what it may import: add one to ALLOWED`

  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier)
    if (target.startsWith(`packages/${owner}/`)) return undefined
    return `imports '${specifier}', a file outside its package: import the package by its name`
  }
  if (specifier.startsWith('node:')) return undefined
  if (isBuiltin(specifier)) return `imports '${specifier}': write 'node:${specifier}'`

  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (!may.includes(name)) return `imports '${specifier}', but ${owner} may import only ${may.join(', ')}`
  if (name.startsWith('@reprise/') && specifier !== name) {
    return `imports '${specifier}', from inside another package: import '${name}'`
  }
  return undefined
}

function packageOf(path: string): string {
  return path.split('/')[1] ?? path
}

/** Static and dynamic imports, `require`, re-exports and import types, in the order they stand. */
function importsOf(source: ts.SourceFile): Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    found.push({ specifier: specifier.text, line: lineOf(source, specifier), typeOnly })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly ?? false)
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    else if (ts.isExternalModuleReference(node)) add(node.expression, node.parent.isTypeOnly)
    else if (ts.isImportTypeNode(node))
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true)
    else if (ts.isCallExpression(node) && callsForModule(node.expression)) add(node.arguments[0], false)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function callsForModule(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
}

function starsOf(source: ts.SourceFile): number[] {
  return source.statements
    .filter(ts.isExportDeclaration)
    .filter(({ exportClause }) => !exportClause || ts.isNamespaceExport(exportClause))
    .map((node) => lineOf(source, node))
}

function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
}

function resolve(from: string, specifier: string, files: Files): string | undefined {
  const target = posix.join(posix.dirname(from), specifier)
  const candidates = [target.replace(/\.js$/, '.ts'), `${target}.ts`, `${target}/index.ts`]
  return candidates.find((path) => files.has(path))
}

/** One cycle for each edge that leads back to a file on the way to it; each starts and ends with the same file. */
function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const walk = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file)
    if (start >= 0) {
      cycles.push([...way.slice(start), file])
      return
    }
    if (done.has(file)) return
    for (const next of edges.get(file) ?? []) walk(next, [...way, file])
    done.add(file)
  }
  for (const file of edges.keys()) walk(file, [])
  return cycles
}
