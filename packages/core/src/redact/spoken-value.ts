import type { CompiledRules } from './compiled-rules.js'
import { labelBefore } from './label.js'
import { isStandIn, isTelling } from './plausible-value.js'
import { pseudonymEnd } from './pseudonym.js'
import type { Span } from './span.js'

const QUOTED = /\\{0,7}(["'`])([^"'`\\\r\n]{4,512})(?=\\{0,7}\1)/y
/** In Chinese and Japanese the sentence goes on without a blank. */
const WORD = /[^\s"'`<>\\;,|(){}[\]\u2e80-\uffef]{6,64}/y
const MORE = /[^\s"'`<>\\;,|(){}[\]\u2e80-\uffef]{1,64}/y
const ENV = /(?:ENV|ARG|export|set|setx)[ \t]{1,4}([A-Za-z_]\w{2,63})[ \t]{1,4}/y
const BETWEEN = / (?:est|es|è|is:?|equals|to|provided:)(?= )/g
const BLANK = 32
const ENV_WORDS = ['ENV ', 'setx '] as const
const PASSWORDS =
  /(?:assword|assphrase|dentified (?:with [\w.]{1,64} )?by|asswort lautet|requirepass|SecureString) |(?:密码|密碼|口令|パスワード)(?:是|为|為|は) ?/gi
/** One of these is in every text that the pattern matches, in small letters: to look for them first takes a tenth. */
const PASSWORD_WORDS = [
  'asswor',
  'assphrase ',
  'dentified ',
  'requirepass ',
  'securestring ',
  '密',
  '口令',
  'パスワード',
]

/** Values that stand behind their name with no sign between: `the password is …`, `PASSWORD '…'`. */
export function findSpoken(text: string, rules: CompiledRules, spans: Span[]): void {
  for (BETWEEN.lastIndex = 0; BETWEEN.test(text); ) {
    const value = BETWEEN.lastIndex + 1
    const label = labelBefore(text, text.lastIndexOf(' ', value - 2), rules)
    // `pass the token to /login`
    if (label !== undefined && text.charAt(value) !== '/') addValue(text, value, label.rule, spans)
  }
  for (let at = text.indexOf('|'); at >= 0; at = text.indexOf('|', at + 1)) {
    if (text.charCodeAt(at - 1) !== BLANK || text.charCodeAt(at + 1) !== BLANK) continue
    const label = labelBefore(text, at - 1, rules)
    // Tokens have prices and counts in tables.
    if (label !== undefined && !label.quoted && label.rule !== 'token') addValue(text, at + 2, label.rule, spans)
  }
  if (rules.active.has('password') && saysPassword(text)) {
    for (PASSWORDS.lastIndex = 0; PASSWORDS.test(text); ) {
      // Some languages have no blanks: what lies in a value is part of it.
      PASSWORDS.lastIndex = Math.max(PASSWORDS.lastIndex, addValue(text, PASSWORDS.lastIndex, 'password', spans))
    }
  }
  for (const word of ENV_WORDS) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      ENV.lastIndex = at
      const rule = rules.keyRule(ENV.exec(text)?.[1] ?? '')
      if (rule !== undefined) addValue(text, ENV.lastIndex, rule, spans)
    }
  }
}

function saysPassword(text: string): boolean {
  const small = text.toLowerCase()
  return PASSWORD_WORDS.some((word) => small.includes(word))
}

/** Returns where the value ends, or its place when it is none. It is judged by its first 64 characters. */
function addValue(text: string, at: number, rule: string, spans: Span[]): number {
  if (pseudonymEnd(text, at) >= 0) return at
  QUOTED.lastIndex = at
  const quoted = QUOTED.exec(text)?.[2]
  if (quoted !== undefined) {
    if (/\s/.test(quoted) || isStandIn(quoted) || !isTelling(quoted, '')) return at
    spans.push({ start: QUOTED.lastIndex - quoted.length, end: QUOTED.lastIndex, rule })
    return QUOTED.lastIndex
  }
  WORD.lastIndex = at
  const word = (WORD.exec(text)?.[0] ?? '').replace(/[.!?:]+$/, '')
  if (word === '' || !isTelling(word, text.charAt(at + word.length))) return at
  let end = at + word.length
  for (MORE.lastIndex = end; MORE.test(text); ) end = MORE.lastIndex
  spans.push({ start: at, end: end - (/[.!?:]*$/.exec(text.slice(at, end).slice(-16))?.[0].length ?? 0), rule })
  return end
}
