import { pseudonymEnd } from './pseudonym.js'
import type { Span } from './span.js'

const KIND = 'kind: Secret'
const WHOLE_KIND = /kind: Secret(?=[ \t]{0,4}(?:[\r\n\\]|$))/y
/** Between two documents of one file. */
const RULE = '---'
const BLOCK = /(?:^|\n|\\{1,7}n)(?:data|stringData):[ \t]{0,4}(?=\r?\n|\\{1,7}n)/g
const ENTRY =
  /(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)[ \t]{1,16}[\w.-]{1,253}:[ \t]{1,4}\\{0,7}["']?([^\s"'\\|>][^\r\n"'\\]{1,8192})\\{0,7}["']?/y

/** All that a Kubernetes manifest of a secret has under `data` and `stringData`, whatever it is called there. */
export function findInManifests(text: string, spans: Span[]): void {
  for (let at = text.indexOf(KIND); at >= 0; at = text.indexOf(KIND, at)) {
    WHOLE_KIND.lastIndex = at
    if (!WHOLE_KIND.test(text)) at += KIND.length
    else {
      const from = Math.max(0, text.lastIndexOf(RULE, at))
      const next = text.indexOf(RULE, at)
      const to = next < 0 ? text.length : next
      findEntries(text, from, to, spans)
      at = to
    }
  }
}

/** The values in the document [from, to). */
function findEntries(text: string, from: number, to: number, spans: Span[]): void {
  for (const { index, 0: head } of text.slice(from, to).matchAll(BLOCK)) {
    for (ENTRY.lastIndex = from + index + head.length; ; ) {
      const value = ENTRY.exec(text)?.[1]
      if (value === undefined || ENTRY.lastIndex > to) break
      const start = text.lastIndexOf(value, ENTRY.lastIndex)
      if (pseudonymEnd(text, start) < 0) spans.push({ start, end: start + value.length, rule: 'secret' })
    }
  }
}
