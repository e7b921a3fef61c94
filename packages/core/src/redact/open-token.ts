import type { CompiledRules } from './compiled-rules.js'
import { findInEvents } from './event-texts.js'
import type { Span } from './span.js'
import { RUN_UNITS } from './token-run.js'

const LONGEST = 1_024
const FEWEST = 10
const HEXADECIMAL = /^(?=.*[0-9])(?=.*[a-f])[0-9a-f]{12,}$/
/** No word has all of these, or changes its case so. */
const MIXED = /^(?=.*[a-z])(?=.*[A-Z])(?=.*(?:[0-9]|[a-z][A-Z].*[a-z][A-Z]))/
const USER = /:\/\/[^\s:/?#@"'<>\\]{0,128}:([^\s/?#@"'<>\\]{4,256})$/
const REACH = 512

/** What was cut at the end of a text, or at the end of what its events say. */
export function openTokens(text: string, rules: CompiledRules): readonly Span[] {
  const spans: Span[] = []
  findInEvents(text, (said) => openToken(said, rules), spans)
  return [...spans, ...openToken(text, rules)]
}

/** The token that has begun at the end of a text and was cut there: too short for its shape, but nothing else. */
function openToken(text: string, rules: CompiledRules): readonly Span[] {
  const open = openPassword(text, rules) ?? openShape(text, rules)
  return open === undefined ? [] : [open]
}

/** `scheme://user:password` before the `@`. A port is a number. */
function openPassword(text: string, rules: CompiledRules): Span | undefined {
  if (!rules.active.has('url-password')) return undefined
  const password = USER.exec(text.slice(-REACH))?.[1]
  if (password === undefined || /^[0-9]+$/.test(password)) return undefined
  return { start: text.length - password.length, end: text.length, rule: 'url-password' }
}

function openShape(text: string, rules: CompiledRules): Span | undefined {
  let start = text.length
  const least = Math.max(0, text.length - LONGEST)
  while (start > least && RUN_UNITS[text.charCodeAt(start - 1)] === 1) start--
  // Inside JSON text a new line reads `\n`.
  const at = text.charAt(start - 1) === '\\' ? start + 1 : start
  for (const { start: begins, id } of rules.tokens[text.charCodeAt(at)]?.[text.charCodeAt(at + 2)] ?? []) {
    if (begins.length < 3 || !text.startsWith(begins, at)) continue
    const body = text.slice(at + begins.length)
    if (body.length >= FEWEST && (MIXED.test(body) || HEXADECIMAL.test(body)))
      return { start: at, end: text.length, rule: id }
  }
  return undefined
}
