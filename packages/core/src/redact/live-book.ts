import { ownCopy } from './own-copy.js'
import { formatPseudonym, pseudonymsIn } from './pseudonym.js'
import type { PseudonymBook } from './pseudonym-book.js'
import { TOKEN_SHAPES } from './token-shapes.js'

const LONGEST_NUMBER = 32
const NOTHING: ReadonlySet<string> = new Set()
const FORMS: ReadonlySet<string> = new Set(TOKEN_SHAPES.map(({ id }) => id))

/**
 * Pseudonyms of a replay's live side. A secret that no recorded pseudonym is bound to yet shows as
 * `[redacted:rule#live1]`; {@link sameText} binds it to the recorded pseudonym it meets, one to one, for the run.
 */
export class LiveBook implements PseudonymBook {
  readonly #known = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  /** Live pseudonym → its secret, of those short enough for a number. */
  readonly #secrets = new Map<string, string>()
  /** Live pseudonym (or one recorded under another rule) → the recorded pseudonym it stands for, and back, per rule. */
  readonly #recorded = new Map<string, string>()
  readonly #taken = new Map<string, string>()
  /** Bindings in the order they were made, so that a trial can take its own back. */
  readonly #made: { readonly from: string; readonly to: string; readonly slot: string }[] = []

  /** @param handedOut numbers that stand for secret ones in what the replay hands out, in digits */
  constructor(private readonly handedOut: () => ReadonlySet<string> = () => NOTHING) {}

  pseudonym(rule: string, secret: string, kept = ''): string {
    let live = this.#known.get(secret)
    if (live === undefined) {
      const count = (this.#counts.get(rule) ?? 0) + 1
      live = formatPseudonym(rule, 'live', count, kept)
      this.#counts.set(rule, count)
      this.#known.set(ownCopy(secret), live)
      if (secret.length <= LONGEST_NUMBER) this.#secrets.set(live, secret)
    }
    return this.#recorded.get(live) ?? live
  }

  /**
   * Whether a live text equals the recorded one when the live pseudonyms in it are bound to the recorded
   * pseudonyms at their places. The bindings stay when it does and are taken back when it does not.
   */
  sameText(recorded: string, actual: string): boolean {
    return recorded === actual || this.trial(() => this.#bindAll(recorded, actual))
  }

  /**
   * The same for a secret number, which stays a number: that of its pseudonym stands in its place.
   *
   * @param recorded the number that was recorded
   * @param named the pseudonym it stands for
   * @param actual the pseudonym of the live one
   */
  sameNumber(recorded: string, named: string, actual: string): boolean {
    const secret = this.#secretOf(actual)
    if (secret === recorded) return true
    // The agent was given a number that stands for another secret, and hands it back.
    if (secret !== undefined && this.handedOut().has(secret)) return false
    return this.sameText(named, actual)
  }

  #secretOf(pseudonym: string): string | undefined {
    return this.#secrets.get(pseudonym) ?? this.#secrets.get(this.#taken.get(`${pseudonym}<`) ?? '')
  }

  /** Runs a comparison and keeps the bindings made inside only when it returns true. May be nested. */
  trial(compare: () => boolean): boolean {
    const mark = this.#made.length
    let same = false
    try {
      same = compare()
      return same
    } finally {
      if (!same) this.#takeBack(mark)
    }
  }

  #bindAll(recorded: string, actual: string): boolean {
    const wanted = pseudonymsIn(recorded)
    const found = pseudonymsIn(actual)
    if (wanted.length !== found.length) return false
    let here = 0
    let there = 0
    for (const [i, want] of wanted.entries()) {
      const got = found[i]
      if (got === undefined || recorded.slice(here, want.start) !== actual.slice(there, got.start)) return false
      if (!this.#bind(got.text, got.live, got.rule, want.text, want.rule)) return false
      here = want.end
      there = got.end
    }
    return recorded.slice(here) === actual.slice(there)
  }

  #bind(from: string, live: boolean, fromRule: string, to: string, toRule: string): boolean {
    if (from === to) return true
    // What names a secret is the rule that met it first, and on the live side another may come first. Two forms of
    // tokens are two secrets. A replayed value carries the pseudonym it was recorded with; in recordings of old, each
    // rule gave one of its own. Two pseudonyms of one rule are two secrets, never the same.
    if (live ? !mayBeOne(fromRule, toRule) : fromRule === toRule) return false
    const key = live ? from : `${from}>${toRule}`
    const bound = this.#recorded.get(key)
    if (bound !== undefined) return bound === to
    const slot = live ? `${to}<` : `${to}<${fromRule}`
    if (this.#taken.has(slot)) return false
    this.#recorded.set(key, to)
    this.#taken.set(slot, key)
    this.#made.push({ from: key, to, slot })
    return true
  }

  #takeBack(mark: number): void {
    for (const { from, slot } of this.#made.splice(mark)) {
      this.#recorded.delete(from)
      this.#taken.delete(slot)
    }
  }
}

/** Whether a secret that one rule names may be the one that the other names: not when both know it by its form. */
function mayBeOne(one: string, other: string): boolean {
  return one === other || !(FORMS.has(one) && FORMS.has(other))
}
