import type { CompiledRules } from './compiled-rules.js'
import { isStandIn, isTelling } from './plausible-value.js'
import { pseudonymEnd } from './pseudonym.js'
import { quotedAt } from './quoted-value.js'
import type { Span } from './span.js'

/** `host:port:database:user:password`, a line of `.pgpass`. */
const PGPASS =
  /(?:^|[\s"'`(>=]|\\[nt])(?:localhost|\*|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}):(?:[0-9]{4,5}|\*):(?:\*|[A-Za-z][\w-]{0,63}):(?:\*|[A-Za-z][\w.-]{0,63}):([^\s:"'`\\<>&\u2e80-\uffef]{3,256})(?!:)/g
const MAY_BE_PGPASS = /:(?:[0-9]{4,5}|\*):(?:\*|[A-Za-z][\w-]{0,63}):/
/** `user:password@tcp(host)`, as drivers of Go take it. */
const DIALLED = /(?:^|[\s"'`=(\\])[\w.-]{1,64}:([^\s@"'`\\]{3,256})$/
const DIAL_MARKS = ['@tcp(', '@unix('] as const
const VALUE = 'value:'
const NAME_BEFORE =
  /(?:name|key):[ \t]{1,4}\\{0,7}["']?([\w.-]{2,64})\\{0,7}["']?[ \t]{0,4}(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)[ \t]{0,32}$/
const REACH = 128
const WORD = /[^\s"'`\\]{3,4096}/y

/** Secrets that only the form of their line tells: of `.pgpass`, of a Go data source, of a list of variables in YAML. */
export function findInKnownLines(text: string, rules: CompiledRules, spans: Span[]): void {
  if (rules.active.has('password') && MAY_BE_PGPASS.test(text)) {
    for (const { index, 0: line, 1: password = '' } of text.matchAll(PGPASS)) {
      add(text, index + line.length - password.length, password, 'password', spans)
    }
  }
  if (rules.active.has('url-password')) {
    for (const mark of DIAL_MARKS) {
      for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
        const password = DIALLED.exec(text.slice(Math.max(0, at - 3 * REACH), at))?.[1]
        if (password !== undefined) add(text, at - password.length, password, 'url-password', spans)
      }
    }
  }
  findVariables(text, rules, spans)
}

/** `- name: DB_PASSWORD` and below it `value: …`. */
function findVariables(text: string, rules: CompiledRules, spans: Span[]): void {
  for (let at = text.indexOf(VALUE); at >= 0; at = text.indexOf(VALUE, at + VALUE.length)) {
    const before = text.slice(Math.max(0, at - REACH), at)
    if (before.lastIndexOf('name:') < 0 && before.lastIndexOf('key:') < 0) continue
    const name = NAME_BEFORE.exec(before)?.[1]
    const rule = name === undefined ? undefined : rules.keyRule(name)
    if (rule === undefined) continue
    let from = at + VALUE.length
    while (from < at + 16 && text.charCodeAt(from) === 32) from++
    const quoted = quotedAt(text, from)
    WORD.lastIndex = from
    const value = quoted === undefined ? (WORD.exec(text)?.[0] ?? '') : text.slice(quoted.start, quoted.end)
    if (!/\s/.test(value)) add(text, quoted?.start ?? from, value, rule, spans)
  }
}

function add(text: string, start: number, value: string, rule: string, spans: Span[]): void {
  const isTold = rule === 'url-password' ? !isStandIn(value) : isTelling(value, '')
  if (isTold && pseudonymEnd(text, start) < 0) spans.push({ start, end: start + value.length, rule })
}
