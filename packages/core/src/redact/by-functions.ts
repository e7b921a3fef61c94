import type { RuleFunction } from './function-rule.js'
import { pseudonymsIn } from './pseudonym.js'

const FIRST_STAND_IN = 0xe000
const STAND_INS = 0x1900

/** What functions made of a text, and which of them changed it. */
export interface SaidByFunctions {
  readonly text: string
  readonly rules: readonly string[]
}

/**
 * Asks the user's functions, one after the other. In the place of each pseudonym they get one character of the private
 * use area: what counts digits or masks words must not change it, and on a replay it is the same though its number is not.
 *
 * @throws RuleFailure
 */
export function byFunctions(text: string, functions: readonly RuleFunction[]): SaidByFunctions {
  const standIns = new Map<string, string>()
  let next = FIRST_STAND_IN
  const standInFor = (pseudonym: string): string => {
    let standIn = standIns.get(pseudonym)
    if (standIn !== undefined) return standIn
    while (text.includes(String.fromCharCode(next))) next++
    if (next >= FIRST_STAND_IN + STAND_INS) throw new Error('more pseudonyms than characters to stand for them')
    standIn = String.fromCharCode(next++)
    standIns.set(pseudonym, standIn)
    return standIn
  }
  let given = ''
  let from = 0
  for (const { start, end, text: pseudonym } of pseudonymsIn(text)) {
    given += text.slice(from, start) + standInFor(pseudonym)
    from = end
  }
  given += text.slice(from)
  const rules: string[] = []
  let said = given
  for (const { id, run } of functions) {
    const now = run(said)
    if (now !== said) rules.push(id)
    said = now
  }
  if (said === given) return { text, rules: [] }
  for (const [pseudonym, standIn] of standIns) said = said.replaceAll(standIn, () => pseudonym)
  return { text: said, rules }
}
