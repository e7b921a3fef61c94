import type { Span } from './span.js'

const BEGIN = '-----BEGIN '
const HEAD = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const TAIL = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
/** A line of the key, with whatever spelling of a line's end before it. */
const LINE = /(?:\\{1,8}(?:u000[aAdD]|[nrt])|%0[aAdD]|[\s"'+,]){0,16}([A-Za-z0-9+/]{4,100}={0,2})/y
const BODY = /[A-Za-z0-9+/]{16}/
const LONGEST = 32_768

/** PEM private keys, also when their lines are joined by escapes or spaces or their end was cut off. */
export function findPemBlocks(text: string, rule: string, spans: Span[]): void {
  findPuttyKeys(text, rule, spans)
  let tail = -2
  for (let start = text.indexOf(BEGIN); start >= 0; ) {
    const next = text.indexOf(BEGIN, start + BEGIN.length)
    HEAD.lastIndex = start
    if (HEAD.test(text)) {
      const body = HEAD.lastIndex
      if (tail !== -1 && tail < body) tail = text.indexOf('-----END ', body)
      const whole = tail !== -1 && (next < 0 || tail < next) && tail - body < LONGEST
      const end = whole ? tailEnd(text, tail) : cutOff(text, body)
      if (BODY.test(text.slice(body, whole ? tail : end))) spans.push({ start, end, rule })
    }
    start = next
  }
}

function tailEnd(text: string, tail: number): number {
  TAIL.lastIndex = tail
  return TAIL.test(text) ? TAIL.lastIndex : tail
}

const PUTTY = /Private-Lines: [0-9]{1,3}((?:(?:\r?\n|\\{1,8}(?:r\\{1,8})?n)[A-Za-z0-9+/]{4,100}={0,2}){1,512})/y

/** The private lines of PuTTY's key files. */
function findPuttyKeys(text: string, rule: string, spans: Span[]): void {
  for (let at = text.indexOf('Private-Lines: '); at >= 0; at = text.indexOf('Private-Lines: ', at + 1)) {
    PUTTY.lastIndex = at
    const lines = PUTTY.exec(text)?.[1]
    if (lines !== undefined) spans.push({ start: PUTTY.lastIndex - lines.length, end: PUTTY.lastIndex, rule })
  }
}

/** The end of the lines that look like a key's. A short one can only be the last. */
function cutOff(text: string, body: number): number {
  let end = body
  for (LINE.lastIndex = body; ; ) {
    const match = LINE.exec(text)
    if (match === null) return end
    if ((match[1] ?? '').length < 16) return LINE.lastIndex === text.length ? text.length : end
    end = LINE.lastIndex
  }
}
