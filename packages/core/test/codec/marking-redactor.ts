import type { RedactionHit, Redactor } from '../../src/redact/redactor.js'

/** Takes `sk-…` anywhere, and whatever stands under a few keys or at given paths, for a secret. */
export class MarkingRedactor implements Redactor {
  readonly rules = this
  readonly hasPathRules: boolean
  readonly #paths: ReadonlyMap<string, string>
  readonly #numbers = new Map<string, number>()
  readonly #counts = new Map<string, number>()
  #hits: RedactionHit[] = []

  constructor(paths: Readonly<Record<string, string>> = {}) {
    this.#paths = new Map(Object.entries(paths))
    this.hasPathRules = this.#paths.size > 0
  }

  keyRule(key: string): string | undefined {
    return ['authorization', 'password', 'pin'].includes(key.toLowerCase()) ? 'key' : undefined
  }

  pathRule(path: string): string | undefined {
    return this.#paths.get(path)
  }

  text(text: string): string {
    return text.replaceAll(/sk-[a-z0-9]+/g, (secret) => this.#mark('token', secret))
  }

  whole(rule: string, value: string): string {
    return value.startsWith('[redacted:') || value === 'none' ? value : this.#mark(rule, value)
  }

  pieces(): readonly never[] {
    return []
  }

  settled(_before: string, texts: readonly string[]): number {
    return texts.length
  }

  takeHits(): readonly RedactionHit[] {
    const hits = this.#hits
    this.#hits = []
    return hits
  }

  #mark(rule: string, secret: string): string {
    const id = `${rule}:${secret}`
    const number = this.#numbers.get(id) ?? (this.#counts.get(rule) ?? 0) + 1
    if (!this.#numbers.has(id)) {
      this.#numbers.set(id, number)
      this.#counts.set(rule, number)
    }
    const pseudonym = `[redacted:${rule}#${number}]`
    this.#hits.push({ rule, pseudonym })
    return pseudonym
  }
}
