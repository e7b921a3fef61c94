import type { CompiledRules } from './compiled-rules.js'
import { labelBefore } from './label.js'
import { isStandIn } from './plausible-value.js'
import { pseudonymEnd } from './pseudonym.js'
import type { Span } from './span.js'

const CONTENT = /([^<>\r\n]{3,4096})<\//y
const NAME_BEFORE = /(?:key|name)=\\{0,7}["']([\w.:-]{3,64})\\{0,7}["'][ \t]{1,4}$/
const REACH = 96
const VALUE = / value=\\{0,7}["']([^"'\\\r\n]{3,4096})(?=\\{0,7}["'])/y

/** `<password>…</password>` and `<add key="ApiKey" value="…">`. */
export function findInMarkup(text: string, rules: CompiledRules, spans: Span[]): void {
  if (text.indexOf('<') < 0) return
  for (let at = text.indexOf('>'); at >= 0; at = text.indexOf('>', at + 1)) {
    const label = labelBefore(text, at, rules)
    if (label === undefined || text[label.start - 1] !== '<') continue
    CONTENT.lastIndex = at + 1
    add(CONTENT.exec(text)?.[1], at + 1, label.rule, text, spans)
  }
  for (let at = text.indexOf(' value='); at >= 0; at = text.indexOf(' value=', at + 7)) {
    const name = NAME_BEFORE.exec(text.slice(Math.max(0, at - REACH), at + 1))?.[1]
    const rule = name === undefined ? undefined : rules.keyRule(name)
    if (rule === undefined) continue
    VALUE.lastIndex = at
    const value = VALUE.exec(text)?.[1]
    add(value, VALUE.lastIndex - (value?.length ?? 0), rule, text, spans)
  }
}

function add(value: string | undefined, start: number, rule: string, text: string, spans: Span[]): void {
  if (value === undefined || isStandIn(value) || pseudonymEnd(text, start) >= 0) return
  spans.push({ start, end: start + value.length, rule })
}
