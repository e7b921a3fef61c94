import type { Span } from './span.js'

/** Hashes that systems keep of passwords: crypt's (`$6$salt$…`), bcrypt's and Argon2's. */
const HASH =
  /\$(?:(?:1|5|6|7|y|apr1)\$(?:rounds=[0-9]{1,9}\$)?(?:[\w./-]{1,64}\$){1,2}[\w./]{20,128}|2[abxy]\$[0-9]{2}\$[A-Za-z0-9./]{53}|argon2(?:id|i|d)\$[\w$=,+/-]{40,256}|scrypt\$[\w$=,+/-]{40,256})/y

/** Adds the hashes of passwords that the text holds. */
export function findPasswordHashes(text: string, spans: Span[]): void {
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', at + 1)) {
    HASH.lastIndex = at
    if (HASH.test(text)) spans.push({ start: at, end: HASH.lastIndex, rule: 'password-hash' })
  }
}
