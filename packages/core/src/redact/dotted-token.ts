import type { CompiledRules } from './compiled-rules.js'
import type { Span } from './span.js'
import { beginsToken } from './token-run.js'

const DOT = 46
const COLON = 58

/** What may stand before a dot, read backwards from the run after it: the start and then the whole token. */
const AFTER_DOT = [
  { rule: 'sendgrid-key', start: 'SG', body: /SG\.[\w-]{16,32}\.[\w-]{16,64}/y },
  { rule: 'google-access-token', start: 'ya29', body: /ya29\.[\w-]{20,}(?:\.[\w-]{20,})?/y },
  { rule: 'vault-token', start: 'hvs', body: /hvs\.[\w-]{24,}/y },
  { rule: 'vault-token', start: 'hvb', body: /hvb\.[\w-]{24,}/y },
] as const
const TELEGRAM = /[0-9]{8,11}$/
const TELEGRAM_BODY = /A[\w-]{34}(?![\w-])/y
const MORE = /\.[\w-]{8,}/y
const JWT_START = /(?<![A-Za-z0-9])eyJ/g
const JWT_HEAD = /eyJ[\w-]{8,}/y
const JWT_REST = /\.[\w-]{8,}(?:\.[\w-]+){0,3}/y
const DISCORD = /[MNO][A-Za-z0-9_-]{22,27}\.[\w-]{6}\.[\w-]{27,}/y

/** Tokens of several parts, found from the long run [start, end) in them. Returns the end of the last one, or `end`. */
export function findDotted(text: string, start: number, end: number, rules: CompiledRules, spans: Span[]): number {
  const before = text.charCodeAt(start - 1)
  if (before === DOT) findAfterDot(text, start, rules, spans)
  else if (before === COLON && rules.active.has('telegram-token')) findTelegram(text, start, spans)
  if (text.charCodeAt(end) !== DOT) return end
  MORE.lastIndex = end
  if (rules.active.has('jwt') && MORE.test(text)) {
    const jwt = findJwt(text, start, end, spans)
    if (jwt > end) return jwt
  }
  if (rules.active.has('discord-token')) return findDiscord(text, start, end, spans)
  return end
}

function findAfterDot(text: string, start: number, rules: CompiledRules, spans: Span[]): void {
  for (const shape of AFTER_DOT) {
    const from = start - 1 - shape.start.length
    if (from < 0 || !text.startsWith(shape.start, from) || !beginsToken(text, from)) continue
    if (!rules.active.has(shape.rule)) continue
    shape.body.lastIndex = from
    if (shape.body.test(text)) spans.push({ start: from, end: shape.body.lastIndex, rule: shape.rule })
  }
}

function findTelegram(text: string, start: number, spans: Span[]): void {
  const number = TELEGRAM.exec(text.slice(Math.max(0, start - 12), start - 1))
  if (number === null || number[0].length > 10 || !beginsToken(text, start - 1 - number[0].length)) return
  TELEGRAM_BODY.lastIndex = start
  if (TELEGRAM_BODY.test(text)) {
    spans.push({ start: start - 1 - number[0].length, end: TELEGRAM_BODY.lastIndex, rule: 'telegram-token' })
  }
}

function findJwt(text: string, start: number, end: number, spans: Span[]): number {
  const run = text.slice(start, end)
  for (JWT_START.lastIndex = 0; ; ) {
    const match = JWT_START.exec(run)
    if (match === null) return end
    const from = start + match.index
    JWT_HEAD.lastIndex = from
    if (!JWT_HEAD.test(text)) continue
    // Every other start on the way here would fail at the same place: tried again, they would cost a square.
    const head = JWT_HEAD.lastIndex
    JWT_REST.lastIndex = head
    if (JWT_REST.test(text)) {
      spans.push({ start: from, end: JWT_REST.lastIndex, rule: 'jwt' })
      return JWT_REST.lastIndex
    }
    JWT_START.lastIndex = head - start
  }
}

function findDiscord(text: string, start: number, end: number, spans: Span[]): number {
  DISCORD.lastIndex = start
  if (end - start > 28 || !DISCORD.test(text)) return end
  // The first part is the bot's numeric id in base64: nothing else looks like it.
  if (!/^[0-9]{17,20}$/.test(Buffer.from(text.slice(start, end), 'base64').toString('latin1'))) return end
  spans.push({ start, end: DISCORD.lastIndex, rule: 'discord-token' })
  return DISCORD.lastIndex
}
