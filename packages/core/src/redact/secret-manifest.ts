import { pseudonymEnd } from './pseudonym.js'
import type { Span } from './span.js'

const KIND = 'kind: Secret'
const BLOCK = /(?:^|\n|\\{1,7}n)(?:data|stringData):[ \t]{0,4}(?=\r?\n|\\{1,7}n)/g
const ENTRY =
  /(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)[ \t]{1,16}[\w.-]{1,253}:[ \t]{1,4}\\{0,7}["']?([^\s"'\\|>][^\r\n"'\\]{1,8192})\\{0,7}["']?/y

/** All that a Kubernetes manifest of a secret has under `data` and `stringData`, whatever it is called there. */
export function findInManifests(text: string, spans: Span[]): void {
  if (text.indexOf(KIND) < 0) return
  for (const { index, 0: head } of text.matchAll(BLOCK)) {
    for (ENTRY.lastIndex = index + head.length; ; ) {
      const value = ENTRY.exec(text)?.[1]
      if (value === undefined) break
      const end = ENTRY.lastIndex
      const start = text.lastIndexOf(value, end)
      if (pseudonymEnd(text, start) < 0) spans.push({ start, end: start + value.length, rule: 'secret' })
    }
  }
}
