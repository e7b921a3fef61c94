import { isCellSecret } from './cell-value.js'
import type { CompiledRules } from './compiled-rules.js'
import { labelBefore } from './label.js'
import { pseudonymEnd } from './pseudonym.js'
import type { Span } from './span.js'
import { type LineEnd, lineStart, TableLines } from './table-lines.js'

const LONGEST_HEAD = 1_024
const LONGEST_NAME = 64
const MOST_CELLS = 64
/** So many lines that look like heads of tables are read, whether or not they are. */
const MOST_HEADS = 500
const QUOTE = 34
const HEAD_CELL = /^[\p{L}_][\p{L}\p{N} _./#-]{0,40}$/u
const LAST_NAME = /(?<![\p{L}\p{N}_./#-])[\p{L}_][\p{L}\p{N}_./#-]{0,40}$/u
const MEMBER = /^[^,;\t|]{0,128}:[ \t]?"/
/** Lines that only draw the table. */
const DRAWN = /^[ \t|+:=-]+$/
const MARKS = /^(?:\\{0,7}["'`]|\*\*|[ \t])+|(?:\\{0,7}["'`]|\*\*|[ \t])+$/g

/** A part of a line between two separators. */
interface Cell {
  readonly start: number
  readonly end: number
}

/** The cells of tables whose heads name a secret: comma-separated values, Markdown, what `psql` and `mysql` print. */
export function findInTables(text: string, rules: CompiledRules, spans: Span[]): void {
  for (const separator of [',', ';', '\t', '|'] as const) {
    let at = text.indexOf(separator)
    if (at < 0) continue
    const lines = new TableLines(text)
    for (let heads = 0; at >= 0 && heads < MOST_HEADS; ) {
      const end = lines.endAfter(at)
      if (end.start < text.length && isNamed(text, at, end, rules)) {
        heads++
        at = text.indexOf(separator, Math.max(at + 1, readTable(text, at, end, separator, lines, rules, spans)))
      } else at = text.indexOf(separator, at + 1)
    }
  }
}

/** Whether a sensitive name stands before a separator, or at the line's end behind it. */
function isNamed(text: string, at: number, end: LineEnd, rules: CompiledRules): boolean {
  if (labelBefore(text, at, rules) !== undefined) return true
  const isLast = end.start - at <= LONGEST_NAME && end.start - at > 2
  return isLast && labelBefore(text, end.start, rules) !== undefined
}

/** Reads the table whose head has a sensitive name at this separator. Returns where to look on. */
function readTable(
  text: string,
  at: number,
  end: LineEnd,
  separator: string,
  lines: TableLines,
  rules: CompiledRules,
  spans: Span[],
): number {
  if (end.start - at > LONGEST_HEAD) return at + 1
  const start = headStart(text, at, end)
  const cells = cellsOf(text, start, end.start, separator)
  // In a sentence, a blank follows each comma.
  const isSentence = (separator === ',' || separator === ';') && cells.some((cell) => isAfterBlank(text, cell, start))
  if (isSentence) return end.next
  const [first, ...others] = cells.map((cell) => said(text, cell))
  // A word to the reader may stand before the table.
  const names = [LAST_NAME.exec(first ?? '')?.[0].trim() ?? '', ...others]
  if (names.length > MOST_CELLS) return end.next
  const named = names.filter((name) => name !== '')
  if (named.length < 2 || !named.every((name) => HEAD_CELL.test(name))) return end.next
  const columns = names.map((name) => rules.keyRule(name))
  return readRows(text, end, separator, columns, lines, spans)
}

/** Where the head begins: in its line, behind a quotation mark that the line does not close. */
function headStart(text: string, at: number, end: LineEnd): number {
  const start = lineStart(text, at, end, LONGEST_HEAD)
  const line = text.slice(start, end.start)
  if (line.split('"').length % 2 === 1) return start
  const member = MEMBER.exec(line)?.[0].length
  return member === undefined ? Math.max(start, text.lastIndexOf('"', at) + 1) : start + member
}

const isAfterBlank = (text: string, cell: Cell, start: number): boolean =>
  cell.start > start && text.charCodeAt(cell.start) === 32

/** Hides the cells of secret columns in the rows behind `head`. Returns where the rows end. */
export function readRows(
  text: string,
  head: LineEnd,
  separator: string,
  columns: readonly (string | undefined)[],
  lines: TableLines,
  spans: Span[],
): number {
  let at = head.next
  while (at < text.length) {
    const end = lines.rowEnd(at, head)
    const cells = cellsOf(text, at, end.start, separator)
    const isRow = cells.length === columns.length
    if (!isRow && (end.start - at > LONGEST_HEAD || !DRAWN.test(text.slice(at, end.start)))) return at
    if (isRow) {
      for (const [column, rule] of columns.entries()) {
        const cell = cells[column]
        if (rule !== undefined && cell !== undefined) addCell(text, cell, rule, spans)
      }
    }
    at = Math.max(at + 1, end.next)
  }
  return text.length
}

function addCell(text: string, cell: Cell, rule: string, spans: Span[]): void {
  const value = said(text, cell)
  if (!isCellSecret(rule, value)) return
  const start = text.indexOf(value, cell.start)
  if (pseudonymEnd(text, start) < 0) spans.push({ start, end: start + value.length, rule })
}

/** What a cell says, without blanks, quotation marks and asterisks around it. */
function said(text: string, { start, end }: Cell): string {
  return end - start > LONGEST_HEAD ? '' : text.slice(start, end).replace(MARKS, '')
}

/** The parts of [start, end) between separators, of which those in quotation marks are none; not many more than allowed. */
function cellsOf(text: string, start: number, end: number, separator: string): readonly Cell[] {
  const cells: Cell[] = []
  const sign = separator.charCodeAt(0)
  let from = start
  let quoted = false
  for (let at = start; at < end && cells.length <= MOST_CELLS; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE && sign !== 124) quoted = !quoted
    else if (unit === sign && !quoted) {
      cells.push({ start: from, end: at })
      from = at + 1
    }
  }
  cells.push({ start: from, end })
  return cells
}
