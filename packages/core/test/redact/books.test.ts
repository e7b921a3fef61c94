import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/redact/create-redactor.js'
import { LiveBook } from '../../src/redact/live-book.js'
import { RecordingBook } from '../../src/redact/recording-book.js'
import { resolveRedaction } from '../../src/redact/resolve-redaction.js'
import { body } from './samples.js'

const key = (seed: number) => ['gh', `p_${body(36, undefined, seed)}`].join('')
const spec = resolveRedaction()

function sides() {
  const book = new LiveBook()
  return { recorded: createRedactor(spec, new RecordingBook()), live: createRedactor(spec, book), book }
}

describe('RecordingBook', () => {
  test('numbers per rule by first appearance', () => {
    const book = new RecordingBook()
    expect(book.pseudonym('a', 'one')).toBe('[redacted:a#1]')
    expect(book.pseudonym('a', 'two')).toBe('[redacted:a#2]')
    expect(book.pseudonym('b', 'three')).toBe('[redacted:b#1]')
    expect(book.pseudonym('a', 'one')).toBe('[redacted:a#1]')
  })

  test('a secret keeps the name it got first, whatever rule meets it later', () => {
    const book = new RecordingBook()
    expect(book.pseudonym('token', 'one')).toBe('[redacted:token#1]')
    expect(book.pseudonym('bearer', 'one')).toBe('[redacted:token#1]')
    expect(book.pseudonym('bearer', 'two')).toBe('[redacted:bearer#1]')
  })
})

describe('LiveBook', () => {
  test('a secret that has met nothing shows as live', () => {
    const { live } = sides()
    expect(live.text(`use ${key(1)}`)).toBe('use [redacted:github-token#live1]')
  })

  test('a rotated key binds and then shows as recorded', () => {
    const { recorded, live, book } = sides()
    expect(book.sameText(recorded.text(`use ${key(1)}!`), live.text(`use ${key(2)}!`))).toBe(true)
    expect(live.text(`again ${key(2)}`)).toBe('again [redacted:github-token#1]')
    expect(book.sameText(recorded.text(`again ${key(1)}`), live.text(`again ${key(2)}`))).toBe(true)
  })

  test('a text redacted before the binding still compares as bound', () => {
    const { recorded, live, book } = sides()
    const early = live.text(`early ${key(2)}`)
    expect(book.sameText(recorded.text(`use ${key(1)}`), live.text(`use ${key(2)}`))).toBe(true)
    expect(book.sameText('early [redacted:github-token#1]', early)).toBe(true)
    expect(book.sameText('early [redacted:github-token#2]', early)).toBe(false)
  })

  test('two secrets that change places do not match', () => {
    const { recorded, live, book } = sides()
    expect(book.sameText(recorded.text(`${key(1)} ${key(2)}`), live.text(`${key(1)} ${key(2)}`))).toBe(true)
    expect(book.sameText(recorded.text(`${key(1)} ${key(2)}`), live.text(`${key(2)} ${key(1)}`))).toBe(false)
    expect(book.sameText(recorded.text(`${key(1)} ${key(2)}`), live.text(`${key(1)} ${key(2)}`))).toBe(true)
  })

  test('two live secrets never stand for one, nor one for two', () => {
    const { recorded, live, book } = sides()
    expect(book.sameText(recorded.text(`${key(1)} ${key(1)}`), live.text(`${key(3)} ${key(4)}`))).toBe(false)
    expect(book.sameText(recorded.text(`${key(1)} ${key(2)}`), live.text(`${key(3)} ${key(3)}`))).toBe(false)
    expect(live.text(key(3))).toContain('#live')
  })

  test('what is around the secrets must be equal', () => {
    const { recorded, live, book } = sides()
    expect(book.sameText(recorded.text(`v1 ${key(1)}`), live.text(`v2 ${key(1)}`))).toBe(false)
    expect(book.sameText(recorded.text(`v1 ${key(1)} end`), live.text(`v1 ${key(1)} END`))).toBe(false)
    expect(live.text(key(1))).toBe('[redacted:github-token#live1]')
  })

  test('a secret that another rule meets first on the live side is still the same', () => {
    const { recorded, live, book } = sides()
    const [under, said] = [recorded.whole('token', key(1)), recorded.text(`use ${key(1)}`)]
    expect(said).toBe('use [redacted:token#1]')
    expect(book.sameText(said, live.text(`use ${key(2)}`))).toBe(true)
    expect(book.sameText(under, live.whole('token', key(2)))).toBe(true)
    expect(book.sameText(under, live.whole('token', key(3)))).toBe(false)
  })

  test('a secret of another form does not match', () => {
    const { recorded, live, book } = sides()
    expect(book.sameText(recorded.text(`use ${key(1)}`), live.text(`use ${['hf', body(34)].join('_')}`))).toBe(false)
  })

  test('a replayed pseudonym used under another name stands for what was recorded there, one to one', () => {
    const { book } = sides()
    expect(book.sameText('[redacted:api-key#1]', '[redacted:github-token#1]')).toBe(true)
    expect(book.sameText('[redacted:api-key#2]', '[redacted:github-token#1]')).toBe(false)
    expect(book.sameText('[redacted:api-key#1]', '[redacted:github-token#2]')).toBe(false)
    expect(book.sameText('[redacted:github-token#1]', '[redacted:github-token#2]')).toBe(false)
  })

  test('a trial keeps its bindings only when it succeeds, also inside another', () => {
    const { recorded, live, book } = sides()
    const was = recorded.text(`use ${key(1)}`)
    const is = live.text(`use ${key(2)}`)
    expect(book.trial(() => book.sameText(was, is) && false)).toBe(false)
    expect(live.text(key(2))).toBe('[redacted:github-token#live1]')
    expect(() =>
      book.trial(() => {
        book.sameText(was, is)
        throw new Error('stop')
      }),
    ).toThrow('stop')
    expect(live.text(key(2))).toBe('[redacted:github-token#live1]')
    const nested = book.trial(() => {
      expect(book.trial(() => book.sameText(was, is) && false)).toBe(false)
      return book.sameText('use [redacted:github-token#2]', is)
    })
    expect(nested).toBe(true)
    expect(live.text(key(2))).toBe('[redacted:github-token#2]')
  })

  test('values under keys bind as well', () => {
    const { recorded, live, book } = sides()
    expect(book.sameText(recorded.whole('password', 'old'), live.whole('password', 'new'))).toBe(true)
    expect(live.whole('password', 'new')).toBe('[redacted:password#1]')
  })

  test('kept characters are those of the recording once bound', () => {
    const given = resolveRedaction({ add: [{ id: 'member', pattern: 'M-[0-9]{8}', keep: { last: 2 } }] })
    const book = new LiveBook()
    const live = createRedactor(given, book)
    const recorded = createRedactor(given, new RecordingBook()).text('M-12345678')
    expect(recorded).toBe('[redacted:member#1:...78]')
    expect(book.sameText(recorded, live.text('M-87654321'))).toBe(true)
    expect(live.text('M-87654321')).toBe(recorded)
  })
})
