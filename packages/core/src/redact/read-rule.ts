import { types } from 'node:util'
import { nearest } from '../nearest.js'
import { badRule } from './bad-rule.js'
import { functionRule } from './function-rule.js'
import { RULE_ID } from './pseudonym.js'
import type { RedactFunction, RedactRule, StoredRule } from './spec.js'

const NAMES = ['id', 'pattern', 'keys', 'paths', 'keep']
const GIVE_A_NAME =
  'Declare it under a name of letters, digits, dots, dashes and underscores: a fixture knows it by that name.'

/**
 * A rule of the user's, checked.
 * @throws RepriseError `BAD_RULE`
 */
export function readRule(rule: RedactRule | RedactFunction): StoredRule {
  if (typeof rule === 'function') return readFunction(rule)
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) {
    const next =
      "Give { id, pattern | keys | paths, keep? }, or a function from text to text: add: [{ id: 'staff', pattern: 'emp-[0-9]{6}' }]."
    throw badRule(
      'redact.add',
      `it holds ${rule === null ? 'null' : Array.isArray(rule) ? 'a list' : `a ${typeof rule}`}, which is no rule`,
      next,
    )
  }
  const { id, pattern, keys, paths, keep } = rule
  if (typeof id !== 'string' || !RULE_ID.test(id)) {
    throw badRule(String(id), 'its id must be 1 to 64 letters, digits, dots, dashes or underscores')
  }
  const stray = Object.keys(rule).find((name) => !NAMES.includes(name))
  if (stray !== undefined) throw badRule(id, `${stray} says nothing about a rule`, likely(stray, NAMES))
  if (pattern !== undefined && typeof pattern !== 'string') {
    throw badRule(id, 'its pattern is no text', 'Give the source of a regular expression, without slashes.')
  }
  for (const list of [keys, paths]) {
    if (list !== undefined && !isTexts(list)) throw badRule(id, 'its keys and paths must be lists of non-empty texts')
  }
  if (pattern === undefined && !keys?.length && !paths?.length) throw badRule(id, 'it has no pattern, keys or paths')
  return {
    id,
    ...(pattern === undefined ? {} : { pattern }),
    ...(keys?.length ? { keys: [...keys] } : {}),
    ...(paths?.length ? { paths: [...paths] } : {}),
    ...(keep === undefined ? {} : { keep: readKeep(id, keep) }),
  }
}

export const isTexts = (list: unknown): list is readonly string[] =>
  Array.isArray(list) && list.every((entry) => typeof entry === 'string' && entry !== '')

/** The next step of whoever has mistyped a name. */
export function likely(given: string, known: readonly string[]): string {
  const near = nearest(given, known)
  return near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `The names are: ${known.join(', ')}.`
}

function readFunction(fn: RedactFunction): StoredRule {
  const { name } = fn
  if (!RULE_ID.test(name))
    throw badRule(name, 'it is a function without a name that can stand in a fixture', GIVE_A_NAME)
  if (types.isAsyncFunction(fn) || types.isGeneratorFunction(fn)) {
    throw badRule(name, 'it is a function that does not answer at once', 'Answer by the text itself.')
  }
  return functionRule(name, fn)
}

function readKeep(id: string, keep: NonNullable<RedactRule['keep']>): { first: number; last: number } {
  const next = 'Say how many characters stay readable: keep: { last: 4 }.'
  if (typeof keep !== 'object' || keep === null) throw badRule(id, 'its keep is no { first, last }', next)
  const stray = Object.keys(keep).find((name) => name !== 'first' && name !== 'last')
  if (stray !== undefined) throw badRule(id, `keep has no ${stray}`, next)
  const { first = 0, last = 0 } = keep
  for (const count of [first, last]) {
    if (!Number.isInteger(count) || count < 0 || count > 16)
      throw badRule(id, 'keep takes whole numbers from 0 to 16', next)
  }
  return { first, last }
}
