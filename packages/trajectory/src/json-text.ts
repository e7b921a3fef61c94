import type { Json } from '@reprise/core'
import { corrupt, type Where } from './problems.js'

/** JSON as the files have it: two spaces, references on one line, a line feed at the end. */
export const jsonText = (value: unknown): string => `${pretty(value)}\n`

/** A reference as it comes from JSON.stringify; line ends stand for themselves only between values. */
const REFERENCE =
  /\{\n +"\$same": \[\n +("(?:[^"\\]|\\.)*"),\n +("(?:[^"\\]|\\.)*")\n +\](?:,\n +"\$from": (\d+))?(?:,\n +"\$first": (\d+))?\n +\}/g

const pretty = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(REFERENCE, (_, address, path, from, first) => {
    const rest = `${from === undefined ? '' : `, "$from": ${from}`}${first === undefined ? '' : `, "$first": ${first}`}`
    return `{ "$same": [${address}, ${path}]${rest} }`
  })

/** The same, but each item of the lists or objects named takes one line of its own, so that a diff shows it whole. */
export function jsonLines(object: Readonly<Record<string, unknown>>, named: readonly string[]): string {
  const lines = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .map((key) => {
      const value = object[key]
      const text = named.includes(key) ? oneLineEach(value) : pretty(value).replaceAll('\n', '\n  ')
      return `  ${JSON.stringify(key)}: ${text}`
    })
  return `{\n${lines.join(',\n')}\n}\n`
}

function oneLineEach(value: unknown): string {
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const lines = Array.isArray(value)
    ? value.map((item) => JSON.stringify(item))
    : Object.entries(value as object).map(([key, item]) => `${JSON.stringify(key)}: ${JSON.stringify(item)}`)
  return lines.length === 0 ? `${open}${close}` : `${open}\n    ${lines.join(',\n    ')}\n  ${close}`
}

/** Reads a file's text; says where it breaks off, and quotes nothing of it. */
export function parseJson(text: string, where: Where): Json {
  if (text.trim() === '') throw corrupt(where, 'is empty')
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    const conflict = /^(?:<{7}|={7}|>{7})(?: |$)/m.exec(text)
    if (conflict !== null) {
      throw corrupt(
        { ...where, ...lineAt(text, conflict.index) },
        'has the marks of a merge conflict',
        'take one side of the conflict for the whole folder (`git checkout --ours` or `--theirs`), then record again if need be',
      )
    }
    const found = /position (\d+)/.exec(error instanceof Error ? error.message : '')
    const position = found === null ? text.length : Number(found[1])
    const cut = position >= text.trimEnd().length
    throw corrupt(
      { ...where, ...lineAt(text, position) },
      cut ? 'is no JSON: it breaks off here' : 'is no JSON from here on',
    )
  }
}

function lineAt(text: string, position: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, position)
  return { line: before.split('\n').length, column: position - before.lastIndexOf('\n') }
}
