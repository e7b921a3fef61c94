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
  { rule: 'vault-token', start: 'hvr', body: /hvr\.[\w-]{24,}/y },
  { rule: 'doppler-token', start: 'dp.pt', body: /dp\.pt\.[A-Za-z0-9]{36,}/y },
  { rule: 'doppler-token', start: 'dp.ct', body: /dp\.ct\.[A-Za-z0-9]{36,}/y },
  { rule: 'doppler-token', start: 'dp.sa', body: /dp\.sa\.[A-Za-z0-9]{36,}/y },
  { rule: 'doppler-token', start: 'dp.st', body: /dp\.st\.[A-Za-z0-9]{36,}/y },
  { rule: 'doppler-token', start: 'dp.scim', body: /dp\.scim\.[A-Za-z0-9]{36,}/y },
  { rule: 'doppler-token', start: 'dp.audit', body: /dp\.audit\.[A-Za-z0-9]{36,}/y },
  { rule: 'infisical-token', start: 'st', body: /st\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32}/y },
  { rule: 'dynatrace-token', start: 'dt0c01', body: /dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}/y },
  { rule: 'dynatrace-token', start: 'dt0s01', body: /dt0s01\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}/y },
  { rule: 'dropbox-token', start: 'sl', body: /sl\.[\w-]{120,}/y },
  { rule: 'dropbox-token', start: 'sl.u', body: /sl\.u\.[\w-]{100,}/y },
  { rule: 'cloudflare-token', start: 'v1', body: /v1\.0-[0-9a-f]{24}-[0-9a-f]{146}/y },
  { rule: 'linkedin-token', start: 'WPL_AP1', body: /WPL_AP1\.[A-Za-z0-9]{12,}\.[\w+/]{4,}={0,2}/y },
  { rule: 'yandex-token', start: 't1', body: /t1\.[\w-]{60,}={0,2}\.[\w-]{80,}={0,2}/y },
  { rule: 'harness-token', start: 'pat', body: /pat\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}/y },
  { rule: 'harness-token', start: 'sat', body: /sat\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}/y },
  ...['v1', 'v2', 'v3', 'v4'].flatMap((version) =>
    ['local', 'public'].map((kind) => ({
      rule: 'paseto',
      start: `${version}.${kind}`,
      body: new RegExp(`${version}\\.${kind}\\.[\\w-]{40,}(?:\\.[\\w-]+)?`, 'y'),
    })),
  ),
  { rule: 'terraform-token', start: 'atlasv1', reach: 15, body: /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}/y },
] as const
/** By the last character of what stands before the dot. */
const BY_LAST = byLast()
/** The same where the parts before the last dot have no fixed length. */
const LONG_HEADS = [
  { rule: 'doppler-token', mark: 'dp.st.', body: /dp\.st\.[\w-]{2,35}\.[A-Za-z0-9]{36,}/y },
  { rule: 'snyk-token', mark: 'snyk_', body: /snyk_[a-z]{3}\.[0-9a-f]{8}\.[\w.-]{20,}/y },
] as const
const LONGEST_HEAD = 44
const AIRTABLE = /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/y
const ASANA = /[0-9]\/[0-9]{10,20}(?:\/[0-9]{10,20})?:$/
const ASANA_BODY = /[0-9a-f]{32}(?![0-9A-Za-z])/y
const TELEGRAM = /(?:bot)?([0-9]{8,11})$/
const TELEGRAM_BODY = /A[\w-]{34}(?![\w-])/y
const MORE = /\.{1,2}[\w-]{8,}/y
const JWT_START = /(?<![A-Za-z0-9])eyJ/g
const JWT_HEAD = /eyJ[\w-]{8,}/y
/** The second part of five is empty where the key is agreed upon. */
const JWT_REST = /\.{1,2}[\w-]{8,}(?:\.[\w-]+){0,3}/y
const DISCORD = /[MNO][A-Za-z0-9_-]{22,27}\.[\w-]{6}\.[\w-]{27,}/y

/** Tokens of several parts, found from the long run [start, end) in them. Returns the end of the last one, or `end`. */
export function findDotted(text: string, start: number, end: number, rules: CompiledRules, spans: Span[]): number {
  const before = text.charCodeAt(start - 1)
  if (before === DOT) findAfterDot(text, start, rules, spans)
  else if (before === COLON) findAfterColon(text, start, rules, spans)
  if (text.charCodeAt(end) !== DOT) return end
  MORE.lastIndex = end
  if (rules.active.has('jwt') && MORE.test(text)) {
    const jwt = findJwt(text, start, end, spans)
    if (jwt > end) return jwt
  }
  if (rules.active.has('airtable-token')) {
    AIRTABLE.lastIndex = end - 17
    if (AIRTABLE.test(text) && beginsToken(text, end - 17)) {
      spans.push({ start: end - 17, end: AIRTABLE.lastIndex, rule: 'airtable-token' })
      return AIRTABLE.lastIndex
    }
  }
  if (rules.active.has('discord-token')) return findDiscord(text, start, end, spans)
  return end
}

function findAfterDot(text: string, start: number, rules: CompiledRules, spans: Span[]): void {
  for (const shape of BY_LAST[text.charCodeAt(start - 2)] ?? []) {
    const head = start - 1 - shape.start.length
    if (head < 0 || !text.startsWith(shape.start, head)) continue
    tryShape(shape, text, 'reach' in shape ? head - shape.reach : head, rules, spans)
  }
  const before = text.slice(Math.max(0, start - LONGEST_HEAD), start)
  for (const shape of LONG_HEADS) {
    const place = before.lastIndexOf(shape.mark)
    if (place >= 0) tryShape(shape, text, start - before.length + place, rules, spans)
  }
}

function byLast(): readonly (readonly (typeof AFTER_DOT)[number][])[] {
  const shapes: (typeof AFTER_DOT)[number][][] = Array.from({ length: 128 }, () => [])
  for (const shape of AFTER_DOT) shapes[shape.start.charCodeAt(shape.start.length - 1)]?.push(shape)
  return shapes
}

function tryShape(
  { rule, body }: { readonly rule: string; readonly body: RegExp },
  text: string,
  from: number,
  rules: CompiledRules,
  spans: Span[],
): void {
  if (from < 0 || !rules.active.has(rule) || !beginsToken(text, from)) return
  body.lastIndex = from
  if (body.test(text)) spans.push({ start: from, end: body.lastIndex, rule })
}

function findAfterColon(text: string, start: number, rules: CompiledRules, spans: Span[]): void {
  if (rules.active.has('telegram-token')) findTelegram(text, start, spans)
  if (!rules.active.has('asana-token')) return
  const head = ASANA.exec(text.slice(Math.max(0, start - LONGEST_HEAD), start))
  ASANA_BODY.lastIndex = start
  if (head !== null && beginsToken(text, start - head[0].length) && ASANA_BODY.test(text)) {
    spans.push({ start: start - head[0].length, end: ASANA_BODY.lastIndex, rule: 'asana-token' })
  }
}

function findTelegram(text: string, start: number, spans: Span[]): void {
  const found = TELEGRAM.exec(text.slice(Math.max(0, start - 15), start - 1))
  const number = found?.[1] ?? ''
  if (found === null || number.length > 10 || !beginsToken(text, start - 1 - found[0].length)) return
  TELEGRAM_BODY.lastIndex = start
  if (TELEGRAM_BODY.test(text)) {
    spans.push({ start: start - 1 - number.length, end: TELEGRAM_BODY.lastIndex, rule: 'telegram-token' })
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
