import { isTelling } from './plausible-value.js'

/** Members that may say what the one beside them is, which must look like a secret by itself then. */
export const HINTS: readonly string[] = [
  ...['Name', 'Key', 'label', 'id', 'field', 'variable', 'property', 'parameter', 'ParameterKey', 'type'],
  ...['selector', 'element', 'name', 'key', 'header'],
]
/** Members that such a one names. */
export const HINTED: readonly string[] = ['value', 'text', 'Value', 'ParameterValue']
/** A cheap no: all that names a secret has one of these. */
const MAY_NAME =
  /pass|pwd|kennwort|contrase|senha|secret|token|key|auth|credential|creds|cookie|conn|mnemonic|phrase|[^\t -~]/i
/** What stands behind a name in the labels of forms, and in selectors. */
const FORM_WORDS = /(?:[\s"'\])\\]|\b(?:field|text ?box|text ?input|input|box))+$/i
/** What is done about a secret is none. */
const DEED = /^(?:forgot|show|hide|reset|remember|create|generate|copy|change|lost)\b/i
const LONGEST = 64

/** The rule for what a member names, as `{ element: 'Password field', text: '…' }` has it. */
export function hintRule(
  key: string,
  label: unknown,
  keyRule: (label: string) => string | undefined,
): string | undefined {
  if (typeof label !== 'string' || label.length > LONGEST || !MAY_NAME.test(label) || DEED.test(label)) return undefined
  const rule = keyRule(label.replace(FORM_WORDS, ''))
  // What has the type of a token may be a word of a language.
  return key === 'type' && rule === 'token' ? undefined : rule
}

/** Whether a whole value looks like a secret by itself: one word, telling. */
export function isLoneSecret(value: string): boolean {
  return value.length <= 4_096 && !/\s/.test(value) && isTelling(value, '')
}
