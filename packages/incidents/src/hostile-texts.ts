import { WORST_TEXTS } from './worst-texts.js'

/** A text made by chance: `unit` again and again, and where `second` is given its second half is made of that. */
export interface HostileText {
  readonly unit: string
  readonly second?: string
}

const A = 'a'.repeat(20)
const MIXED = 'Ab1'.repeat(21)
const SEPARATORS = [
  '',
  '',
  '',
  ' ',
  '-',
  '_',
  '.',
  ':',
  '=',
  '"',
  "'",
  '/',
  '\n',
  ',',
  ';',
  '+',
  '@',
  '|',
  '%20',
  '\\n',
]
const MARKS = [
  ...'"\'`\\%&@:=.,;/+-_~|<>[]{}()$#!?* \n\t\0\u200bé密',
  '\ud83d',
  '🙂',
  '\\"',
  '\\\\',
  '""',
  '{"',
  '":',
  '"}',
]
const WORDS = [
  ...[
    'sk-ant-',
    'sk-proj-',
    'ghp_',
    'AKIA',
    'AIza',
    'hf_',
    'npm_',
    'glpat-',
    'sk_live_',
    'whsec_',
    'EAAA',
    'pi_',
    'live_',
  ],
  ...[
    'LTAI',
    'AKID',
    'fw_',
    'cio',
    'oy2',
    'pa-',
    'secret_',
    'rnd_',
    'npg_',
    'ATBB',
    '1//0',
    'key-',
    're_',
    'SK',
    'xprv',
  ],
  ...['hvs.', 'ya29.', 'dp.pt.', 'SG.', 'st.', 'bot1234567890:', 'JQQJ99', 'AzSe', '+ASb', 'NRAL', '00D', 'Q~'],
  ...[
    'api_key',
    'secret',
    'name',
    'value',
    '-H "',
    '-b ',
    '-p',
    'curl ',
    'ENV ',
    'setx ',
    ' is ',
    ' provided: ',
    'a=b; ',
  ],
  ...[
    '\\u0041',
    '\\x41',
    '&#65;',
    '&amp;',
    '%25',
    '%0A',
    'QUFB',
    'c2st',
    'ZXlK',
    '[redacted:a#1',
    '4111',
    'DE02 1203 ',
  ],
  ...[
    'GB82WEST',
    '078-05-1120',
    '(555) ',
    '555-555-5555',
    '0',
    '7',
    'a',
    'Z',
    A,
    MIXED,
    '0123456789abcdef',
    '2024-01-01T00:00',
  ],
  ...['var a=b;', '<div class="x">', 'GET /a?b=c HTTP/1.1\r\n', '-----END ', 'lorem ipsum ', 'return a.b[c](d)'],
]
const PARTS = [...new Set([...WORST_TEXTS.map(({ unit }) => unit), ...WORDS, ...MARKS])]

/** So many texts; the same seed makes the same ones. */
export function hostileTexts(count: number, seed: number): readonly HostileText[] {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const unit = (): string => {
    let made = ''
    for (let parts = 1 + below(5); parts > 0; parts--)
      made += one(PARTS).repeat(below(4) === 0 ? 1 + below(5) : 1) + one(SEPARATORS)
    const way = below(12)
    if (way === 0) return JSON.stringify(made)
    if (way === 1) return JSON.stringify(JSON.stringify({ [made]: made }))
    if (way === 2) return Buffer.from(made).toString('base64')
    if (way === 3) return encodeURIComponent(made.replace(/[\ud800-\udfff]/g, ''))
    return made
  }
  return Array.from({ length: count }, () => (below(5) === 0 ? { unit: one(PARTS), second: unit() } : { unit: unit() }))
}

/** The text at one size. It is a string of its own: one put together with `+` is read more slowly. */
export function hostileText({ unit, second }: HostileText, size: number): string {
  const row = (said: string, length: number) => said.repeat(Math.ceil(length / said.length)).slice(0, length)
  const text = second === undefined ? row(unit, size) : row(unit, size >> 1) + row(second, size - (size >> 1))
  return JSON.parse(JSON.stringify(text)) as string
}
