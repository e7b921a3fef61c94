import { sampleText } from './clean-cache.js'
import { type CompiledRules, compileRules } from './compiled-rules.js'
import { openEventsFrom } from './event-texts.js'
import { findSecrets } from './find-secrets.js'
import { mendPieces } from './mend-pieces.js'
import { openFrom, settledPieces } from './open-end.js'
import { isSecretValue } from './plausible-value.js'
import { keptPart, RULE_FAILED } from './pseudonym.js'
import type { PseudonymBook } from './pseudonym-book.js'
import type { MendedPiece, RedactionHit, Redactor } from './redactor.js'
import { disjoint, type Span } from './span.js'
import type { RedactionSpec } from './spec.js'

/**
 * What the capture walk asks. The rules are compiled once per spec; which secret has which pseudonym is the book's.
 * @throws RepriseError `BAD_RULE` when a rule of the spec can't be run
 */
export function createRedactor(spec: RedactionSpec, book: PseudonymBook): Redactor {
  return new RunRedactor(compileRules(spec), book)
}

class RunRedactor implements Redactor {
  readonly hasPathRules: boolean
  readonly rules: CompiledRules
  readonly #book: PseudonymBook
  readonly #minLength: number
  #hits: RedactionHit[] = []

  constructor(rules: CompiledRules, book: PseudonymBook) {
    this.rules = rules
    this.#book = book
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
    try {
      const spans = findSecrets(text, this.rules)
      if (spans.length > 0) return this.#replace(text, spans)
      clean.add(sample, text)
      return text
    } catch {
      return this.#fail()
    }
  }

  pieces(texts: readonly string[]): readonly MendedPiece[] {
    try {
      return mendPieces(texts, this.#spansOver(texts), (span, secret) => {
        this.#pseudonym(span.rule, span.secret ?? secret)
        return this.takeHits()
      })
    } catch {
      return texts.map((_, piece) => ({ piece, text: this.#fail(), hits: this.takeHits() }))
    }
  }

  settled(before: string, texts: readonly string[]): number {
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
    } catch {
      return this.#fail()
    }
  }

  takeHits(): readonly RedactionHit[] {
    const hits = this.#hits
    if (hits.length > 0) this.#hits = []
    return hits
  }

  /** The secrets of the joined text; what one piece shows as a secret by itself stays one. */
  #spansOver(texts: readonly string[]): readonly Span[] {
    const spans = findSecrets(texts.join(''), this.rules)
    if (spans.length === 0) return spans
    let start = 0
    const own: Span[] = []
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

  /** A rule that throws closes the gate: better a value lost than a secret written. */
  #fail(): string {
    this.#hits.push({ rule: 'rule-failed', pseudonym: RULE_FAILED })
    return RULE_FAILED
  }
}
