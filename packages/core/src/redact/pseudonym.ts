/** What stands in a text when a rule itself failed: nothing of the text gets out. */
export const RULE_FAILED = '[redacted:rule-failed]'

/** The form of a rule's id; it is part of every pseudonym, so it may hold nothing that JSON or a URL would escape. */
export const RULE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const PATTERN = '\\[redacted:([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?:#(live)?(\\d{1,9})(?::([A-Za-z0-9.@*_-]{0,40}))?)?\\]'
const WHOLE = new RegExp(`^${PATTERN}$`)
const AT = new RegExp(PATTERN, 'y')

/** How many characters of a secret stay readable at its two ends. */
export interface Kept {
  readonly first: number
  readonly last: number
}

/** A pseudonym found in a text, with its place. */
export interface PseudonymAt {
  readonly start: number
  readonly end: number
  readonly rule: string
  /** Whether it was given to a secret of a replay's live side that no recorded pseudonym is bound to. */
  readonly live: boolean
  readonly text: string
}

/** `[redacted:rule#2]`, on a replay's live side `[redacted:rule#live2]`, with kept characters `[redacted:rule#2:41...11]`. */
export function formatPseudonym(rule: string, side: 'recorded' | 'live', number: number, kept: string): string {
  return `[redacted:${rule}#${side === 'live' ? 'live' : ''}${number}${kept === '' ? '' : `:${kept}`}]`
}

/** The readable part of a secret. Empty when it would show more than half of it. */
export function keptPart(secret: string, kept: Kept | undefined): string {
  if (kept === undefined || (kept.first + kept.last) * 2 > secret.length) return ''
  const first = secret.slice(0, kept.first)
  const last = kept.last === 0 ? '' : secret.slice(-kept.last)
  return `${first}...${last}`.replace(/[^A-Za-z0-9.@_-]/g, '*')
}

/** Whether the text is one pseudonym and nothing else. */
export function isPseudonym(text: string): boolean {
  return text.charCodeAt(0) === 91 && WHOLE.test(text)
}

/** The end of the pseudonym that starts at this place, or -1. */
export function pseudonymEnd(text: string, start: number): number {
  if (text.charCodeAt(start) !== 91) return -1
  AT.lastIndex = start
  return AT.test(text) ? AT.lastIndex : -1
}

/** Every pseudonym of a text, in order. */
export function pseudonymsIn(text: string): readonly PseudonymAt[] {
  const found: PseudonymAt[] = []
  for (let start = text.indexOf('[redacted:'); start >= 0; start = text.indexOf('[redacted:', start + 1)) {
    AT.lastIndex = start
    const match = AT.exec(text)
    if (match === null) continue
    const end = start + match[0].length
    found.push({ start, end, rule: match[1] ?? '', live: match[2] !== undefined, text: match[0] })
    start = end - 1
  }
  return found
}
