import { describe, expect, test } from 'vitest'
import { ChunkSeams } from '../../src/codec/chunk-seams.js'
import { encode } from '../../src/codec/encode.js'
import type { Json } from '../../src/json.js'
import { changedPieces } from '../../src/redact/changed-pieces.js'
import { createRedactor } from '../../src/redact/create-redactor.js'
import { LiveBook } from '../../src/redact/live-book.js'
import { RecordingBook } from '../../src/redact/recording-book.js'
import { resolveRedaction } from '../../src/redact/resolve-redaction.js'
import type { RuleFailure } from '../../src/redact/rule-failure.js'
import { RuleWatch } from '../../src/redact/rule-watch.js'
import type { RedactOptions } from '../../src/redact/spec.js'

const CLOSED = '[redacted:rule-failed]'
const pass = ['hunter2', 'horse'].join('')

function watched(options: RedactOptions) {
  const failures: RuleFailure[] = []
  const watch = new RuleWatch((failure) => failures.push(failure))
  const redactor = createRedactor(resolveRedaction(options), new RecordingBook(), watch)
  return { redactor, failures }
}

const names = (text: string) => text.replace(/\bAda Lovelace\b/g, '<name>')
const digits = (text: string) => text.replace(/\d/g, '#')

describe('a rule that is a function', () => {
  test('says what stands in the text, after all other rules', () => {
    const { redactor } = watched({ add: [names] })
    expect(redactor.text(`Ada Lovelace has password=${pass}`)).toBe('<name> has password=[redacted:password#1]')
    expect(redactor.takeHits()).toEqual([
      { rule: 'password', pseudonym: '[redacted:password#1]' },
      { rule: 'names', pseudonym: '' },
    ])
    expect(redactor.text('nobody here')).toBe('nobody here')
  })

  test('is stored by its name, and tells nothing of itself', () => {
    const spec = resolveRedaction({ add: [names, { id: 'staff', pattern: 'emp-\\d+' }] })
    expect(JSON.parse(JSON.stringify(spec.rules))).toEqual([
      { id: 'names', function: true },
      { id: 'staff', pattern: 'emp-\\d+' },
    ])
  })

  test('does not reach what stands for a secret, whatever it does to digits and words', () => {
    const { redactor } = watched({
      add: [
        digits,
        function words(text) {
          return text.replace(/[a-z]+/g, 'w')
        },
      ],
    })
    expect(redactor.text(`tel 555 password=${pass}`)).toBe('w ### w=[redacted:password#1]')
    expect(redactor.text('[redacted:password#1]')).toBe('[redacted:password#1]')
  })

  test('makes the same of a text with live pseudonyms as of the recorded one', () => {
    const cut = (text: string) => (text.length > 20 ? `${text.slice(0, 20)}…` : text)
    const spec = resolveRedaction({ add: [cut] })
    const book = new LiveBook()
    const recorded = createRedactor(spec, new RecordingBook()).text(`password=${pass} and a long tail of words`)
    const live = createRedactor(spec, book).text(`password=${pass.slice(3)} and a long tail of words`)
    expect(live).not.toBe(recorded)
    expect(book.sameText(recorded, live)).toBe(true)
  })

  test('may uncover what another rule then hides', () => {
    const { redactor } = watched({
      add: [
        function turned(text) {
          return text.split('|').reverse().join('')
        },
      ],
    })
    expect(redactor.text(`${pass}|password=`)).toBe('password=[redacted:password#1]')
  })

  test('sees the keys of objects too, and short texts', () => {
    const { redactor } = watched({ add: [digits] })
    expect(encode({ k7: 'v8' }, 'input', redactor).json).toEqual({ 'k#': 'v#' })
  })

  test('two of one name are two', () => {
    const [one, other] = ['1', '2'].map((mark) => {
      const same = (text: string) => text.replace('x', mark)
      return watched({ add: [same] }).redactor
    })
    expect([one?.text('x'), other?.text('x')]).toEqual(['1', '2'])
  })
})

describe('a rule that fails closes the value', () => {
  const secret = 'the text that nobody may see'
  test.each<[string, (text: string) => unknown, string]>([
    [
      'throws',
      (text) => {
        throw new TypeError(`can't read ${text}`)
      },
      'threw',
    ],
    [
      'throws what is no error',
      () => {
        throw undefined
      },
      'threw',
    ],
    ['returns nothing', () => undefined, 'returned no text'],
    ['returns a number', () => 7, 'returned no text'],
    ['returns a promise', async (text) => text, 'returned a promise'],
    ['returns a promise that rejects', () => Promise.reject(new Error('late')), 'returned a promise'],
  ])('one that %s', (_, wrong, fault) => {
    const rule = (text: string) => wrong(text) as string
    const { redactor, failures } = watched({ add: [rule] })
    expect(redactor.text(`${secret}, password=${pass}`)).toBe(CLOSED)
    expect(redactor.takeHits()).toEqual([{ rule: 'rule-failed', pseudonym: CLOSED }])
    expect(failures.map(({ rule, fault }) => ({ rule, fault }))).toEqual([{ rule: 'rule', fault }])
    expect(JSON.stringify([failures, String(failures[0])])).not.toContain(secret)
    expect(failures[0]?.className).toBe(_ === 'throws' ? 'TypeError' : undefined)
  })

  test('one that throws for one text is asked about the next', () => {
    const { redactor, failures } = watched({
      add: [
        function picky(text) {
          if (text.includes('!')) throw new Error('no')
          return text
        },
      ],
    })
    expect([redactor.text('a!'), redactor.text('b')]).toEqual([CLOSED, 'b'])
    expect(failures.length).toBe(1)
  })

  test('one that has taken too long is not asked again in the run', () => {
    let asked = 0
    const slow = (text: string) => {
      asked += 1
      for (const end = performance.now() + 600; performance.now() < end; );
      return text
    }
    const { redactor, failures } = watched({ add: [slow] })
    expect([redactor.text('one'), redactor.text('two'), redactor.text('one')]).toEqual([CLOSED, CLOSED, CLOSED])
    expect(redactor.pieces(['o', 'ne']).map(({ text }) => text)).toEqual([CLOSED, CLOSED])
    expect({ asked, faults: failures.map(({ fault }) => fault) }).toEqual({ asked: 1, faults: ['took too long'] })
  })

  test('one that is missing, as in another process', () => {
    const spec = JSON.parse(JSON.stringify(resolveRedaction({ add: [names] }))) as ReturnType<typeof resolveRedaction>
    const redactor = createRedactor(spec, new RecordingBook())
    expect(encode({ a: 'text', n: 5, password: pass }, 'input', redactor).json).toEqual({
      [CLOSED]: CLOSED,
      [`${CLOSED}~2`]: 5,
      [`${CLOSED}~3`]: '[redacted:password#1]',
    })
  })
})

describe('over the chunks of a stream', () => {
  const mend = (texts: string[], ...add: NonNullable<RedactOptions['add']>) => {
    const { redactor } = watched({ add })
    const seams = new ChunkSeams(redactor)
    const chunks: Json[] = texts.map((text, at) => {
      seams.add(at, text)
      return encode(text, `outcome.chunks.${at}`, redactor).json
    })
    return { redactions: seams.mend(chunks, 'outcome.chunks'), chunks }
  }

  test('a function sees the whole text', () => {
    expect(mend(['I am Ada Love', 'lace', ', and you?'], names)).toEqual({
      chunks: ['I am <name>', '', ', and you?'],
      redactions: [
        { path: 'outcome.chunks.0', rule: 'names', pseudonym: '' },
        { path: 'outcome.chunks.1', rule: 'names', pseudonym: '' },
      ],
    })
    expect(mend(['Ada Lovelace, ', 'no more'], names).chunks).toEqual(['<name>, ', 'no more'])
    expect(mend([`Ada Lovelace password=${pass.slice(0, 4)}`, `${pass.slice(4)}`, ' end'], names).chunks).toEqual([
      '<name> password=[redacted:password#2]',
      '',
      ' end',
    ])
  })

  test('nothing of it is settled before its end', () => {
    expect(watched({ add: [names] }).redactor.settled('', ['a b c', ' d e f '])).toBe(0)
  })

  test.each([
    [['ab', 'cd', 'ef'], 'abXef'],
    [['ab', 'cd', 'ef'], 'abcdefX'],
    [['ab', 'cd', 'ef'], 'Xabcdef'],
    [['ab', 'cd', 'ef'], ''],
    [['ab', 'cd', 'ef'], 'aXf'],
    [['', 'ab', ''], 'b'],
    [['aa', 'aa'], 'aaa'],
  ])('%j becomes %j in its pieces', (pieces, now) => {
    const changed = changedPieces(pieces, now)
    expect(pieces.map((piece, at) => changed.get(at) ?? piece).join('')).toBe(now)
  })
})
