import { isStandIn } from './plausible-value.js'
import type { Span } from './span.js'

const USER_INFO = /(?:\\{0,4}\/){2}[^\s:/?#@"'<>\\]{0,128}:([^\s/?#"'<>\\]{1,256})@/y
const CURL_USER = /-(?:u|U|-user|-proxy-user)[ =]{0,4}\\{0,7}["']?([^\s:"'\\]{0,64}):([^\s"'\\]{1,256})/y

/** The password of `scheme://user:password@host`, asked at the colon of the scheme. */
export function findUrlPassword(text: string, colon: number, spans: Span[]): void {
  USER_INFO.lastIndex = colon + 1
  const match = USER_INFO.exec(text)
  const password = match?.[1]
  if (password === undefined || isStandIn(password)) return
  const end = USER_INFO.lastIndex - 1
  spans.push({ start: end - password.length, end, rule: 'url-password', secret: decode(password) })
}

const ORACLE = /oracle:(?:thin|oci8?):[\w.$#-]{1,64}\/([^\s"'\\@]{1,256})@/y

/** A token in the place of a user's name, alone or before `:x-oauth-basic`. */
const LONE_TOKEN = /(?:\\{0,4}\/){2}([A-Za-z0-9_.~-]{20,256})(?::x-oauth-basic)?@/y

/** `jdbc:oracle:thin:user/password@…`. */
export function findOraclePassword(text: string, colon: number, spans: Span[]): void {
  ORACLE.lastIndex = colon + 1
  const password = ORACLE.exec(text)?.[1]
  if (password === undefined || isStandIn(password)) return
  spans.push({ start: ORACLE.lastIndex - 1 - password.length, end: ORACLE.lastIndex - 1, rule: 'url-password' })
}

export function findUrlToken(text: string, colon: number, spans: Span[]): void {
  LONE_TOKEN.lastIndex = colon + 1
  const token = LONE_TOKEN.exec(text)?.[1]
  if (token === undefined || !/[0-9]/.test(token) || isStandIn(token)) return
  const start = colon + 1 + text.slice(colon + 1, LONE_TOKEN.lastIndex).indexOf(token)
  spans.push({ start, end: start + token.length, rule: 'url-password' })
}

/** The password of `curl -u user:password`. */
export function findCurlPassword(text: string, spans: Span[]): void {
  let at = text.indexOf('-u')
  if (at < 0 || !text.includes('curl')) return
  for (; at >= 0; at = text.indexOf('-u', at + 2)) {
    const start = text[at - 1] === '-' ? at - 1 : at
    if (start > 0 && !/\s/.test(text.charAt(start - 1))) continue
    CURL_USER.lastIndex = start
    const password = CURL_USER.exec(text)?.[2]
    // `docker run -u 1000:1000`
    if (password === undefined || isStandIn(password) || /^[0-9]{1,5}$/.test(password)) continue
    spans.push({ start: CURL_USER.lastIndex - password.length, end: CURL_USER.lastIndex, rule: 'url-password' })
  }
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
