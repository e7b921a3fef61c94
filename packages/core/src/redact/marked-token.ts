import type { CompiledRules } from './compiled-rules.js'
import type { Span } from './span.js'
import { beginsToken } from './token-run.js'

/** Tokens that are told by a mark in their middle or at their end: where they begin before it, and the whole. */
const IN_RUNS = [
  { rule: 'azure-key', mark: 'AZDO', reach: 76, body: /[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/y },
  { rule: 'azure-key', mark: 'JQQJ99', reach: 52, body: /[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?![A-Za-z0-9])/y },
  { rule: 'azure-key', mark: 'AzFu', reach: 44, body: /[\w-]{44}AzFu[\w-]{6}==/y },
  { rule: 'azure-key', mark: 'AzSe', reach: 42, body: /[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}(?![A-Za-z0-9])/y },
  { rule: 'azure-key', mark: '+AStA', reach: 76, body: /[A-Za-z0-9+/]{76}\+AStA[A-Za-z0-9+/]{5}==/y },
  { rule: 'azure-key', mark: '+ASb', reach: 33, body: /[A-Za-z0-9+/]{33}\+ASb[A-Za-z0-9+/]{6}=/y },
  { rule: 'azure-key', mark: 'ACDb', reach: 76, body: /[A-Za-z0-9+/]{76}ACDb[A-Za-z0-9+/]{6}==/y },
  { rule: 'new-relic-key', mark: 'NRAL', reach: 36, body: /[0-9a-f]{36}NRAL(?![A-Za-z0-9])/y },
  { rule: 'mailchimp-key', mark: '-us', reach: 32, body: /[0-9a-f]{32}-us[0-9]{1,2}(?![\w-])/y },
] as const
const MAILGUN = /(?<![\w-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/g
const SHORTEST = 36

/** Those in the run [start, end) of token characters. */
export function findMarked(text: string, start: number, end: number, rules: CompiledRules, spans: Span[]): void {
  if (end - start < SHORTEST) return
  const run = text.slice(start, end)
  for (const { rule, mark, reach, body } of IN_RUNS) {
    for (let at = run.indexOf(mark); at >= 0; at = run.indexOf(mark, at + 1)) {
      const from = start + at - reach
      if (from < 0 || !beginsToken(text, from) || !rules.active.has(rule)) continue
      body.lastIndex = from
      if (body.test(text)) spans.push({ start: from, end: body.lastIndex, rule })
    }
  }
  if (end - start < 50 || !rules.active.has('mailgun-key')) return
  for (const { index, 0: key } of run.matchAll(MAILGUN)) {
    spans.push({ start: start + index, end: start + index + key.length, rule: 'mailgun-key' })
  }
}

const AZURE_SECRET = /[\w.~-]{3}[0-9]Q~[\w.~-]{31,34}(?![\w~-])/y
const SALESFORCE = /00D[A-Za-z0-9]{12,15}![\w.]{80,}/y

/** Those whose characters make no runs. */
export function findLoose(text: string, rules: CompiledRules, spans: Span[]): void {
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
): void {
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (at < reach || !rules.active.has(rule)) continue
    body.lastIndex = at - reach
    if (body.test(text)) spans.push({ start: at - reach, end: body.lastIndex, rule })
  }
}
