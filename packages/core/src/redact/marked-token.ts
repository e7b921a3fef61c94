import type { CompiledRules } from './compiled-rules.js'
import type { Span } from './span.js'
import { beginsToken, RUN_UNITS } from './token-run.js'

/** Tokens that are told by a mark in their middle or at their end: where they begin before it, and the whole. */
const MARKED = [
  { rule: 'azure-key', mark: 'AZDO', reach: 76, body: /[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/y },
  { rule: 'azure-key', mark: 'JQQJ99', reach: 52, body: /[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?![A-Za-z0-9])/y },
  { rule: 'azure-key', mark: 'AzFu', reach: 44, body: /[\w-]{44}AzFu[\w-]{6}==/y },
  { rule: 'azure-key', mark: 'AzSe', reach: 42, body: /[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}(?![A-Za-z0-9])/y },
  { rule: 'azure-key', mark: '+AStA', reach: 76, body: /[A-Za-z0-9+/]{76}\+AStA[A-Za-z0-9+/]{5}==/y },
  { rule: 'azure-key', mark: '+ASb', reach: 33, body: /[A-Za-z0-9+/]{33}\+ASb[A-Za-z0-9+/]{6}=/y },
  { rule: 'azure-key', mark: 'ACDb', reach: 76, body: /[A-Za-z0-9+/]{76}ACDb[A-Za-z0-9+/]{6}==/y },
  { rule: 'new-relic-key', mark: 'NRAL', reach: 36, body: /[0-9a-f]{36}NRAL(?![A-Za-z0-9])/y },
  { rule: 'mailchimp-key', mark: '-us', reach: 32, body: /[0-9a-f]{32}-us[0-9]{1,2}(?![\w-])/y },
  { rule: 'deepl-key', mark: ':fx', reach: 36, body: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:fx(?![\w-])/y },
] as const
const AZURE_SECRET = /[\w.~-]{3}[0-9]Q~[\w.~-]{31,34}(?![\w~-])/y
const SALESFORCE = /00D[A-Za-z0-9]{12,15}![\w.]{80,}/y

/** Those of the text. Each mark is looked for in the whole of it: asked of each run, they would cost more than all else. */
export function findMarked(text: string, rules: CompiledRules, spans: Span[]): void {
  for (const { rule, mark, reach, body } of MARKED) findAt(body, rule, text, mark, reach, rules, spans, beginsToken)
  findAt(AZURE_SECRET, 'azure-secret', text, 'Q~', 4, rules, spans)
  findAt(SALESFORCE, 'salesforce-token', text, '00D', 0, rules, spans)
}

function findAt(
  body: RegExp,
  rule: string,
  text: string,
  mark: string,
  reach: number,
  rules: CompiledRules,
  spans: Span[],
  mayBegin: (text: string, at: number) => boolean = () => true,
): void {
  if (!rules.active.has(rule)) return
  for (let at = text.indexOf(mark, reach); at >= 0; at = text.indexOf(mark, at + 1)) {
    const from = at - reach
    // Most marks by chance stand in words: there is no such token around them.
    if (RUN_UNITS[text.charCodeAt(from)] !== 1 || !mayBegin(text, from)) continue
    body.lastIndex = from
    if (body.test(text)) spans.push({ start: from, end: body.lastIndex, rule })
  }
}

const MAILGUN = /[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/y
const DASH = 45

/** Mailgun's keys in the run [start, end) of token characters. */
export function findMailgun(text: string, start: number, end: number, rules: CompiledRules, spans: Span[]): void {
  if (end - start < 50 || !rules.active.has('mailgun-key')) return
  for (let at = start + 32; at < end - 17; at++) {
    if (text.charCodeAt(at) !== DASH || text.charCodeAt(at + 9) !== DASH) continue
    const from = at - 32
    // The run's beginning counts as one even where an escape's letter stands before it.
    if (from > start && /[\w-]/.test(text.charAt(from - 1))) continue
    MAILGUN.lastIndex = from
    if (MAILGUN.test(text)) spans.push({ start: from, end: MAILGUN.lastIndex, rule: 'mailgun-key' })
  }
}
