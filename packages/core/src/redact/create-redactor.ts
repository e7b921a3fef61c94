import { byFunctions } from './by-functions.js'
import { changedPieces } from './changed-pieces.js'
import { sampleText } from './clean-cache.js'
import { type CompiledRules, compileRules } from './compiled-rules.js'
import { openEventsFrom } from './event-texts.js'
import { findSecrets } from './find-secrets.js'
import { mendPieces } from './mend-pieces.js'
import { openFrom, settledPieces } from './open-end.js'
import { openTokens } from './open-token.js'
import { isSecretValue } from './plausible-value.js'
import { isPseudonym, keptPart, RULE_FAILED } from './pseudonym.js'
import type { PseudonymBook } from './pseudonym-book.js'
import type { MendedPiece, RedactionHit, Redactor } from './redactor.js'
import { RuleWatch } from './rule-watch.js'
import { disjoint, type Span } from './span.js'
import type { RedactionSpec } from './spec.js'

/**
 * What the capture walk asks. The rules are compiled once per spec; which secret has which pseudonym is the book's.
 * @param watch over the user's rules, the same for all redactors of a run
 * @throws RepriseError `BAD_RULE` when a rule of the spec can't be run
 */
export function createRedactor(spec: RedactionSpec, book: PseudonymBook, watch = new RuleWatch()): Redactor {
  return new RunRedactor(compileRules(spec), book, watch)
}

class RunRedactor implements Redactor {
  readonly hasPathRules: boolean
  readonly rules: CompiledRules
  readonly #book: PseudonymBook
  readonly #watch: RuleWatch
  readonly #minLength: number
  #hits: RedactionHit[] = []

  constructor(rules: CompiledRules, book: PseudonymBook, watch: RuleWatch) {
    this.rules = rules
    this.#book = book
    this.#watch = watch
    this.#minLength = rules.minLength
    this.hasPathRules = rules.hasPathRules
  }

  keyRule(key: string): string | undefined {
    return this.rules.keyRule(key)
  }

  pathRule(path: string): string | undefined {
    return this.rules.pathRule(path)
  }

  text(text: string): string {
    if (text.length < this.#minLength) return text
    const { clean } = this.rules
    const sample = sampleText(text)
    if (clean.has(sample, text)) return text
    if (this.#watch.isClosed(this.rules)) return this.#close()
    const found = this.#hits.length
    try {
      const spans = findSecrets(text, this.rules)
      const shown = spans.length > 0 ? this.#replace(text, spans) : text
      const said = this.rules.functions.length > 0 ? this.#byFunctions(shown) : shown
      if (said === text) clean.add(sample, text)
      return said
    } catch (failure) {
      this.#hits.length = found
      return this.#fail(failure)
    }
  }

  pieces(texts: readonly string[], isCut = false): readonly MendedPiece[] {
    const closed = (close: () => string): readonly MendedPiece[] =>
      texts.map((_, piece) => ({ piece, text: close(), hits: this.takeHits() }))
    if (this.#watch.isClosed(this.rules)) return closed(() => this.#close())
    try {
      const mended = mendPieces(texts, this.#spansOver(texts, isCut), (span, secret) => {
        this.#pseudonym(span.rule, span.secret ?? secret)
        return this.takeHits()
      })
      return this.rules.functions.length > 0 ? this.#piecesByFunctions(texts, mended) : mended
    } catch (failure) {
      this.takeHits()
      return closed(() => this.#fail(failure))
    }
  }

  settled(before: string, texts: readonly string[]): number {
    // How much of a text a function looks at, nobody knows.
    if (this.rules.functions.length > 0 || this.#watch.isClosed(this.rules)) return 0
    try {
      const joined = before + texts.join('')
      const find = (text: string) => findSecrets(text, this.rules)
      const secrets = find(joined)
      const open = Math.min(openFrom(joined, secrets), openEventsFrom(joined, find))
      return settledPieces(before.length, texts, open, secrets)
    } catch {
      return 0
    }
  }

  whole(rule: string, value: string): string {
    try {
      return isSecretValue(rule, value) ? this.#pseudonym(rule, value) : value
    } catch (failure) {
      return this.#fail(failure)
    }
  }

  takeHits(): readonly RedactionHit[] {
    const hits = this.#hits
    if (hits.length > 0) this.#hits = []
    return hits
  }

  /** The secrets of the joined text; what one piece shows as a secret by itself stays one. */
  #spansOver(texts: readonly string[], isCut: boolean): readonly Span[] {
    const joined = texts.join('')
    const spans = findSecrets(joined, this.rules)
    const own = isCut ? [...openTokens(joined, this.rules)] : []
    if (spans.length + own.length === 0) return spans
    let start = 0
    for (const text of texts) {
      for (const span of findSecrets(text, this.rules)) {
        own.push({ ...span, start: start + span.start, end: start + span.end })
      }
      start += text.length
    }
    return disjoint([...spans, ...own])
  }

  #replace(text: string, spans: readonly Span[]): string {
    let out = ''
    let from = 0
    for (const { start, end, rule, secret, quote = '', begins } of spans) {
      out += text.slice(from, start)
      if (begins === undefined) out += quote + this.#pseudonym(rule, secret ?? text.slice(start, end)) + quote
      from = end
    }
    return out + text.slice(from)
  }

  #pseudonym(rule: string, secret: string): string {
    const pseudonym = this.#book.pseudonym(rule, secret, keptPart(secret, this.rules.keep.get(rule)))
    this.#hits.push({ rule, pseudonym })
    return pseudonym
  }

  /** What the user's functions make of a text; what they have uncovered is looked at again. */
  #byFunctions(text: string): string {
    if (isPseudonym(text)) return text
    const { text: said, rules } = byFunctions(text, this.rules.functions)
    if (said === text) return text
    for (const rule of rules) this.#hits.push({ rule, pseudonym: '' })
    const spans = findSecrets(said, this.rules)
    return spans.length > 0 ? this.#replace(said, spans) : said
  }

  /** What functions see only in the whole text; the parts of it that each saw alone stay as they made them. */
  #piecesByFunctions(texts: readonly string[], mended: readonly MendedPiece[]): readonly MendedPiece[] {
    const known = new Map(mended.map((piece) => [piece.piece, piece]))
    const shown = texts.map((text, piece) => known.get(piece)?.text ?? text)
    const alone = shown.map((text) => this.#byFunctions(text))
    this.takeHits()
    const whole = this.#byFunctions(shown.join(''))
    const hits = this.takeHits()
    const changed = whole === alone.join('') ? undefined : changedPieces(shown, whole)
    return texts.flatMap((_, piece): MendedPiece[] => {
      const cut = changed?.get(piece)
      if (cut === undefined && !known.has(piece)) return []
      const text = cut === undefined ? (alone[piece] as string) : this.#byFunctions(cut)
      this.takeHits()
      return [{ piece, text, hits: [...(known.get(piece)?.hits ?? []), ...(cut === undefined ? [] : hits)] }]
    })
  }

  /** A rule that fails closes the gate: better a value lost than a secret written. */
  #fail(failure: unknown): string {
    this.#watch.failed(failure)
    return this.#close()
  }

  #close(): string {
    this.#hits.push({ rule: 'rule-failed', pseudonym: RULE_FAILED })
    return RULE_FAILED
  }
}
