import type { CompiledRules } from './compiled-rules.js'
import { isStandIn } from './plausible-value.js'
import { pseudonymEnd } from './pseudonym.js'
import type { Span } from './span.js'

const MARK = 'form-data; name='
const FIELD = /form-data; name=\\{0,7}"([^"\\\r\n]{2,64})\\{0,7}"(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n){2}([^\r\n\\]{3,4096})/y

/** Fields of multipart bodies. */
export function findFormData(text: string, rules: CompiledRules, spans: Span[]): void {
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + MARK.length)) {
    FIELD.lastIndex = at
    const [, name = '', value = ''] = FIELD.exec(text) ?? []
    const rule = name === '' ? undefined : rules.keyRule(name)
    const start = FIELD.lastIndex - value.length
    if (rule === undefined || isStandIn(value) || pseudonymEnd(text, start) >= 0) continue
    spans.push({ start, end: FIELD.lastIndex, rule })
  }
}
