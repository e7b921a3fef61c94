import type { CompiledRules } from './compiled-rules.js'
import { HINTS, hintRule, isLoneSecret } from './hint.js'
import { labelBefore } from './label.js'
import { membersBefore } from './members-before.js'
import { isKeyName, isSecretValue, isTelling } from './plausible-value.js'
import { quotedAt, unquote } from './quoted-value.js'
import type { Span } from './span.js'

/** `["name", ` before a value. */
const FIRST = /\[[ \t\r\n]{0,16}(\\{0,7})"([^"\\\r\n]{3,64})\1"[ \t]{0,4},[ \t\r\n]{0,16}/y
/** `("name", ` before a value, as calls have it. */
const ARGUMENT = /\([ \t\r\n]{0,16}(\\{0,7})(["'`])(#?[\w.:-]{2,64})\1\2,[ \t\r\n]{0,16}/y
const MEMBERS = ['"value', '"text', '"Value', '"ParameterValue'] as const
const VALUE = /"[A-Za-z]{1,16}\\{0,7}"[ \t]{0,4}:[ \t]{0,4}/y
const NAMES = new Set(['name', 'key', 'header'])
const CLOSE = 41
const COOKIE_REACH = 256
const CLOSES = /[ \t\r\n]{0,16}\]/y

/** Names and values side by side. In JSON text: `["authorization", "…"]` and `{"name": "authorization", "value": "…"}`. */
export function findPaired(text: string, rules: CompiledRules, spans: Span[]): void {
  findArguments(text, rules, spans)
  if (text.indexOf('"') < 0) return
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
    FIRST.lastIndex = at
    const name = FIRST.exec(text)?.[2]
    const rule = name === undefined ? undefined : rules.keyRule(name)
    if (rule !== undefined) at = Math.max(at, add(text, FIRST.lastIndex, rule, CLOSES, spans) - 1)
  }
  for (const member of MEMBERS) {
    for (let at = text.indexOf(member); at >= 0; at = text.indexOf(member, at + member.length)) {
      VALUE.lastIndex = at
      if (!VALUE.test(text)) continue
      const from = VALUE.lastIndex
      const rule = ruleOfMember(text, at, from, member === '"value', rules)
      if (rule !== undefined) at = Math.max(at, add(text, from, rule, undefined, spans) - member.length)
    }
  }
}

/** The rule of a member of JSON text whose value begins at `from`, because of those before it. */
function ruleOfMember(
  text: string,
  at: number,
  from: number,
  isValue: boolean,
  rules: CompiledRules,
): string | undefined {
  let start = at
  while (text.charCodeAt(start - 1) === 92 && at - start < 8) start--
  const before = membersBefore(text, start)
  const first = before[0]
  if (isValue && first?.value !== undefined && NAMES.has(first.key)) {
    const rule = rules.keyRule(first.value)
    if (rule !== undefined) return rule
  }
  for (const { key, value: label } of before) {
    const rule = HINTS.includes(key) ? hintRule(key, label, (name) => rules.keyRule(name)) : undefined
    if (rule !== undefined) return isLoneText(text, from) ? rule : undefined
  }
  return isValue && isOfCookie(text, from) && isLoneText(text, from) ? rules.keyRule('cookie') : undefined
}

function isLoneText(text: string, at: number): boolean {
  const value = quotedAt(text, at)
  return value !== undefined && value.end - value.start <= 4_096 && isLoneSecret(text.slice(value.start, value.end))
}

/** Whether the object goes on behind the value as a browser's cookie does: with `httpOnly`, which nothing else has. */
function isOfCookie(text: string, from: number): boolean {
  const value = quotedAt(text, from)
  if (value === undefined) return false
  const rest = text.slice(value.next, value.next + COOKIE_REACH)
  const at = rest.indexOf('"httpOnly')
  return at >= 0 && rest.lastIndexOf('}', at) < 0
}

/** `setItem("token", "…")` and `define('DB_PASSWORD', '…')`. */
function findArguments(text: string, rules: CompiledRules, spans: Span[]): void {
  for (let at = text.indexOf('('); at >= 0; at = text.indexOf('(', at + 1)) {
    const next = text.charCodeAt(at + 1)
    if (next !== 34 && next !== 39 && next !== 92 && next !== 96 && next > 32) continue
    if (findCalled(text, at, rules, spans)) continue
    ARGUMENT.lastIndex = at
    const name = ARGUMENT.exec(text)?.[3]
    const rule = name === undefined ? undefined : rules.keyRule(name)
    if (rule === undefined) continue
    const value = quotedAt(text, ARGUMENT.lastIndex)
    if (value === undefined) continue
    const raw = text.slice(value.start, value.end)
    // What stands there is as often a word for the reader: `field("password", "Your password")`.
    if (/\s/.test(raw) || !isTelling(raw, '') || !isSecretValue(rule, raw) || isKeyName(raw)) continue
    spans.push({ start: value.start, end: value.end, rule, secret: unquote(raw, value.mark) })
    at = value.end - 1
  }
}

/** `.password("…")`. */
function findCalled(text: string, at: number, rules: CompiledRules, spans: Span[]): boolean {
  const label = labelBefore(text, at, rules)
  const value = label?.rule === 'password' && !label.quoted ? quotedAt(text, at + 1) : undefined
  if (value === undefined || text.charCodeAt(value.next) !== CLOSE) return false
  const raw = text.slice(value.start, value.end)
  if (/\s/.test(raw) || !isTelling(raw, '')) return false
  spans.push({ start: value.start, end: value.end, rule: 'password', secret: unquote(raw, value.mark) })
  return true
}

/** Returns where the value ends, or 0 when there is none. */
function add(text: string, at: number, rule: string, closes: RegExp | undefined, spans: Span[]): number {
  const value = quotedAt(text, at)
  if (value === undefined) return 0
  const raw = text.slice(value.start, value.end)
  if (closes !== undefined) {
    closes.lastIndex = value.next
    if (!closes.test(text)) return value.next
  }
  if (isSecretValue(rule, raw) && !(closes !== undefined && isKeyName(raw))) {
    spans.push({ start: value.start, end: value.end, rule, secret: unquote(raw, value.mark) })
  }
  return value.next
}
