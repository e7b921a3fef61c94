import type { CompiledRules } from './compiled-rules.js'
import { isSecretValue, isStandIn } from './plausible-value.js'
import { pseudonymEnd } from './pseudonym.js'
import type { Span } from './span.js'
import { TableLines } from './table-lines.js'
import { readRows } from './table-text.js'

const INSERT =
  /(?:\b|\\[nrt])(?:insert|replace)[ \t]{1,4}(?:ignore[ \t]{1,4})?into[ \t\r\n]{1,8}[^\s()'"]{0,16}[^\s()']{1,128}[ \t\r\n]{0,8}\(([^()]{3,2048})\)[ \t\r\n]{0,8}(?:output[ \t]{1,4}[^()']{1,64})?values[ \t\r\n]{0,8}/gi
const COPY = /\bcopy [\w."]{1,128} \(([^()]{3,2048})\) from stdin[^\n]{0,64}\n/gi
const MARKS = /[\s"'`\\[\]]+/g
const LONGEST_VALUE = 65_536

/** What `INSERT INTO … VALUES` and `COPY … FROM stdin` put into columns of secrets. */
export function findInStatements(text: string, rules: CompiledRules, spans: Span[]): void {
  if (!/into[ \t\r\n]|copy /i.test(text)) return
  for (INSERT.lastIndex = 0; ; ) {
    const list = INSERT.exec(text)?.[1]
    if (list === undefined) break
    const columns = columnsOf(list, rules)
    const isSecret = columns.some((rule) => rule !== undefined)
    if (isSecret) INSERT.lastIndex = readTuples(text, INSERT.lastIndex, columns, spans)
  }
  const lines = new TableLines(text)
  for (COPY.lastIndex = 0; ; ) {
    const list = COPY.exec(text)?.[1]
    if (list === undefined) break
    const columns = columnsOf(list, rules)
    const next = COPY.lastIndex
    const isSecret = columns.some((rule) => rule !== undefined)
    if (isSecret) COPY.lastIndex = readRows(text, { start: next - 1, next, slashes: 0 }, '\t', columns, lines, spans)
  }
}

function columnsOf(list: string, rules: CompiledRules): readonly (string | undefined)[] {
  return list.split(',').map((name) => rules.keyRule(name.replace(MARKS, '')))
}

/** `(1, 'a', 'b'), (2, 'c', 'd')`. Returns where they end. */
function readTuples(text: string, from: number, columns: readonly (string | undefined)[], spans: Span[]): number {
  let column = -1
  for (let at = from; at < text.length; at++) {
    const unit = text.charAt(at)
    if (unit === "'") {
      const end = closing(text, at + 1)
      if (column >= 0) add(text, at + 1, end, columns[column], spans)
      at = end
    } else if (unit === '(') column = column < 0 ? 0 : columns.length
    else if (unit === ')') column = -1
    else if (unit === ',' && column >= 0) column += 1
    else if (unit === ';' || (column < 0 && !/[\s,\\nNE]/.test(unit))) return at
  }
  return text.length
}

/** The mark that closes a text; two in a row are one in it. */
function closing(text: string, from: number): number {
  const most = Math.min(text.length, from + LONGEST_VALUE)
  for (let at = from; at < most; at++) {
    if (text.charAt(at) === '\\') at++
    else if (text.charAt(at) === "'") {
      if (text.charAt(at + 1) !== "'") return at
      at++
    }
  }
  return most
}

function add(text: string, start: number, end: number, rule: string | undefined, spans: Span[]): void {
  const value = text.slice(start, end)
  if (rule === undefined || value.length < 3 || isStandIn(value) || /^[:@$?]\w*$/.test(value)) return
  if (isSecretValue(rule, value) && pseudonymEnd(text, start) < 0) spans.push({ start, end, rule })
}
