import { describe, expect, test } from 'vitest'
import { redactor } from './samples.js'

const TOKEN = ['gh', 'p_', 'Rk4T7mQ2'.repeat(4), 'Wz9b'].join('')
const NAMED = '[redacted:github-token#1]'
const PASSWORD = ['hunter', '2horse'].join('')
const sign = '\u001b'
const hidden = (text: string) => redactor().text(text)

describe('colours of a terminal', () => {
  test.each([
    ['around a token', `${sign}[32m${TOKEN}${sign}[0m done`, `${sign}[32m${NAMED}${sign}[0m done`],
    ['bold', `${sign}[1;38;5;9m${TOKEN}${sign}[m`, `${sign}[1;38;5;9m${NAMED}${sign}[m`],
    [
      'in a token, as grep marks a match',
      `a ${TOKEN.slice(0, 9)}${sign}[m${sign}[K${TOKEN.slice(9)} b`,
      `a ${NAMED} b`,
    ],
    [
      'between a name and its value',
      `${sign}[1mpassword${sign}[0m: ${sign}[33m${PASSWORD}${sign}[0m`,
      `${sign}[1mpassword${sign}[0m: ${sign}[33m[redacted:password#1]${sign}[0m`,
    ],
    ['as JSON writes them', `{"out":"\\u001b[32m${TOKEN}\\u001b[0m"}`, `{"out":"\\u001b[32m${NAMED}\\u001b[0m"}`],
  ])('%s', (_, text, out) => {
    expect(hidden(text)).toBe(out)
    expect(hidden(out)).toBe(out)
  })

  test('without a secret stay', () => {
    const text = `${sign}[32m✓${sign}[39m token-shapes.test.ts ${sign}[2m(${sign}[22m655 tests${sign}[22m)${sign}[K`
    expect(hidden(text)).toBe(text)
  })
})

describe('quoted-printable', () => {
  const line = 'You asked us for a new token, so here it is now: '
  const mail = (end: string) => `${line}${TOKEN.slice(0, 22)}=${end}${TOKEN.slice(22)}${end}Bye`

  test.each(['\n', '\r\n'])('a token that goes on behind %j', (end) => {
    expect(hidden(mail(end))).toBe(`${line}${NAMED}${end}Bye`)
    expect(hidden(JSON.stringify({ mail: mail(end) }))).not.toContain(TOKEN.slice(22))
  })

  test.each([
    'FOO=\nBAR=1\nPASSWORD=\nPORT=8080',
    `${'=3D='.repeat(20)}\n=3D`,
    `${'a'.repeat(60)}=\n${'b'.repeat(60)}=\nand so on`,
  ])('%j stays', (text) => {
    expect(hidden(text)).toBe(text)
  })
})
