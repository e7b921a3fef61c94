import type { CompiledRules } from './compiled-rules.js'
import { labelBefore } from './label.js'
import { isStandIn } from './plausible-value.js'
import { pseudonymEnd } from './pseudonym.js'
import type { Span } from './span.js'

const CONTENT = /([^<>\r\n]{3,4096})<\//y
const NAME_BEFORE = /(?:key|name)=\\{0,7}["']([\w.:-]{3,64})\\{0,7}["'][ \t]{1,4}$/
const REACH = 96
const NAME_AFTER = /^\\{0,7}["'][ \t]{1,4}(?:key|name)=\\{0,7}["']([\w.:-]{3,64})\\{0,7}["']/
const CLOSING = /<\/(?:[\w.-]{1,32}:)?([\w.-]{2,64})[ \t]{0,4}>/y
const VALUE = / (?:value|content)=\\{0,7}["']([^"'\\\r\n]{3,4096})(?=\\{0,7}["'])/y

/** `<password>…</password>` and `<add key="ApiKey" value="…">`. */
export function findInMarkup(text: string, rules: CompiledRules, spans: Span[]): void {
  if (text.indexOf('<') < 0) return
  for (let at = text.indexOf('>'); at >= 0; at = text.indexOf('>', at + 1)) {
    const label = labelBefore(text, at, rules)
    if (label === undefined || text[label.start - 1] !== '<') continue
    CONTENT.lastIndex = at + 1
    add(CONTENT.exec(text)?.[1], at + 1, label.rule, text, spans)
  }
  findElements(text, rules, spans)
  for (const attribute of [' value=', ' content='] as const) {
    for (let at = text.indexOf(attribute); at >= 0; at = text.indexOf(attribute, at + 7)) {
      VALUE.lastIndex = at
      const value = VALUE.exec(text)?.[1]
      if (value === undefined) continue
      const end = VALUE.lastIndex
      const before = text.slice(Math.max(0, at - REACH), at + 1)
      const name = NAME_BEFORE.exec(before)?.[1] ?? NAME_AFTER.exec(text.slice(end, end + REACH))?.[1]
      const rule = name === undefined ? undefined : rules.keyRule(name)
      if (rule !== undefined) add(value, end - value.length, rule, text, spans)
    }
  }
}

/** `<a:password kind="x">…</a:password>` and `<password><![CDATA[…]]></password>`, told by the closing tag. */
function findElements(text: string, rules: CompiledRules, spans: Span[]): void {
  for (let at = text.indexOf('</'); at >= 0; at = text.indexOf('</', at + 2)) {
    CLOSING.lastIndex = at
    const name = CLOSING.exec(text)?.[1]
    const rule = name === undefined ? undefined : rules.keyRule(name)
    if (rule === undefined) continue
    const end = text.startsWith(']]>', at - 3) ? at - 3 : at
    let start = end
    while (start > 0 && end - start <= 4096 && !/[<>[\r\n]/.test(text.charAt(start - 1))) start--
    const opens = end < at ? text.startsWith('<![CDATA[', start - 9) : text.charAt(start - 1) === '>' && start < end
    // What begins right behind the name was looked at.
    if (!opens || text.startsWith(`<${name}>`, start - (name?.length ?? 0) - 2)) continue
    if (end - start > 2) add(text.slice(start, end), start, rule, text, spans)
  }
}

function add(value: string | undefined, start: number, rule: string, text: string, spans: Span[]): void {
  if (value === undefined || isStandIn(value) || pseudonymEnd(text, start) >= 0) return
  spans.push({ start, end: start + value.length, rule })
}
