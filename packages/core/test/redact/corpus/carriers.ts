import { base64, base64url } from './parts.js'

/** How a text travels. */
export type Carrier = readonly [name: string, carry: (text: string) => unknown]

/** Each byte of ASCII, and each unit beyond, as JSON and JavaScript may escape it. */
const escaped = (text: string) =>
  [...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')
const halfEscaped = (text: string) =>
  text.replace(/[^A-Za-z0-9]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
const hexEscaped = (text: string) =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
const entities = (text: string) => text.replace(/[^A-Za-z0-9 ]/g, (c) => `&#${c.charCodeAt(0)};`)
const mime = (text: string) => base64(`note: ${text}\nend of the note`).replace(/.{76}/g, '$&\r\n')

function form(text: string): FormData {
  const made = new FormData()
  made.set('note', text)
  return made
}

function failing(text: string, how: (error: Error) => void = () => {}): Error {
  const error = new Error(`401 for ${text}`)
  how(error)
  return error
}

/** Ways for any text. */
export const CARRIERS: readonly Carrier[] = [
  ['bare', (text) => text],
  ['prose', (text) => `Please use ${text} for the call.`],
  ['prose beyond Latin', (text) => `密钥是 ${text} ，请保密 🙂`],
  ['code block', (text) => `Run this:\n\n\`\`\`sh\n${text}\n\`\`\`\n\nThen go on.`],
  ['JSON text', (text) => JSON.stringify({ note: `line\n${text}\tend`, n: 1 })],
  ['JSON text, bare', (text) => JSON.stringify({ note: text })],
  ['JSON in JSON', (text) => JSON.stringify(JSON.stringify({ note: text }))],
  ['JSON in JSON in JSON', (text) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ note: text }) }) })],
  ['escaped JSON', (text) => `{"note":"${escaped(text)}"}`],
  ['JSON with its marks escaped', (text) => `{"note":"${halfEscaped(text)}"}`],
  ['hexadecimal escapes', (text) => `b'${hexEscaped(text)}'`],
  ['HTML', (text) => `<p>Use <code>${entities(text)}</code>.</p>`],
  ['query parameter', (text) => `https://example.test/cb?next=${encodeURIComponent(text)}&page=2`],
  [
    'query parameter, twice',
    (text) => `https://example.test/cb?next=${encodeURIComponent(encodeURIComponent(text))}&page=2`,
  ],
  ['percent-encoding', (text) => `go=${percent(text)}`],
  ['base64', (text) => `blob ${base64(`{"note":${JSON.stringify(text)}}`)} end`],
  ['base64, bare', (text) => base64(text)],
  ['base64url', (text) => base64url(`x: ${text}`)],
  ['base64 in base64', (text) => base64(base64(`as said: ${text}`))],
  ['base64 with line ends', mime],
  ['base64 of UTF-16', (text) => Buffer.from(`x: ${text}`, 'utf16le').toString('base64')],
  ['FormData', (text) => form(text)],
  ['data address', (text) => `data:text/plain;base64,${base64(text)}`],
  ['list', (text) => ['a', text, 'b']],
  ['nested', (text) => ({ a: { b: [{ c: text }] } })],
  ['object key', (text) => ({ [text]: 1 })],
  ['key of a Map', (text) => new Map([[text, 1]])],
  ['value of a Map', (text) => new Map([['a', text]])],
  ['Set', (text) => new Set([text])],
  ['header tuple', (text) => [['x-note', text]]],
  ['Headers', (text) => new Headers({ 'x-note': encodeURIComponent(text) })],
  ['URL object', (text) => new URL(`https://example.test/?q=${encodeURIComponent(text)}`)],
  ['Buffer', (text) => Buffer.from(`note: ${text}`)],
  ['Uint8Array', (text) => new TextEncoder().encode(text)],
  ['ArrayBuffer', (text) => new TextEncoder().encode(`note ${text}`).buffer],
  [
    'class instance',
    (text) =>
      new (class Client {
        note = text
      })(),
  ],
  ['error', (text) => failing(text)],
  [
    'cause',
    (text) =>
      failing('it', (error) => {
        error.cause = new Error(`because of ${text}`)
      }),
  ],
  [
    'stack',
    (text) =>
      failing('it', (error) => {
        error.stack = `Error: it\n    at f (${text})`
      }),
  ],
  ['field of an error', (text) => Object.assign(new Error('401'), { config: { data: text } })],
  ['AggregateError', (text) => new AggregateError([new Error(text)], 'several')],
]

/** Ways for a value that only its key tells to be secret. */
export const KEY_CARRIERS: readonly (readonly [name: string, carry: (key: string, value: string) => unknown])[] = [
  ['property', (key, value) => ({ [key]: value, n: 1 })],
  ['list under the key', (key, value) => ({ [key]: [value] })],
  ['object under the key', (key, value) => ({ [key]: { value } })],
  ['JSON text', (key, value) => JSON.stringify({ a: 1, [key]: value })],
  ['JSON text with spaces', (key, value) => JSON.stringify({ a: 1, [key]: value }, null, 2)],
  ['JSON in JSON', (key, value) => JSON.stringify({ arguments: JSON.stringify({ [key]: value }) })],
  ['cut JSON', (key, value) => JSON.stringify({ [key]: value, more: 1 }).slice(0, -8)],
  ['name and value', (key, value) => ({ name: key, value })],
  ['key and value', (key, value) => [{ key, value, enabled: true }]],
  [
    'header tuple',
    (key, value) => [
      [key, value],
      ['accept', '*/*'],
    ],
  ],
  ['raw headers', (key, value) => ['accept', '*/*', key, value]],
  ['Map', (key, value) => new Map([[key, value]])],
  ['entries of a Map in JSON', (key, value) => JSON.stringify([[key, value]])],
  ['field of an error', (key, value) => Object.assign(new Error('401'), { config: { [key]: value } })],
  ['class instance', (key, value) => Object.assign(new (class Config {})(), { [key]: value })],
  ['null-prototype object', (key, value) => Object.assign(Object.create(null), { [key]: value })],
  ['base64 of JSON', (key, value) => base64(JSON.stringify({ [key]: value }))],
  ['Buffer of JSON', (key, value) => Buffer.from(JSON.stringify({ [key]: value }))],
]
/** Ways for those whose key and value are one line of text. */
export const LINE_CARRIERS: readonly (readonly [name: string, carry: (key: string, value: string) => string])[] = [
  ['env', (key, value) => `${key}=${value}`],
  ['env with others', (key, value) => `A=1\n${key}=${value}\nB=2`],
  ['quoted', (key, value) => `${key}="${value}"`],
  ['yaml', (key, value) => `a: 1\n${key}: ${value}\nb: 2`],
  ['query', (key, value) => `https://h.example.test/a?b=1&${key}=${encodeURIComponent(value)}&c=2`],
]
