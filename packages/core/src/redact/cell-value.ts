import { isKeyName, isReference, isStandIn, isTelling } from './plausible-value.js'

const NAME = /^(?:[A-Z][A-Z0-9_]*|[a-z]+(?:[-_.][a-z]+)*[0-9]{0,2}|--?[a-z-]+[0-9]*)$/
const OPAQUE =
  /^(?:(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[\w.+/=-]{16,}|[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}|[0-9a-f]{24,})$/

/** Whether what stands in a column of secrets is one: columns of tokens as often hold words, prices and names of styles. */
export function isCellSecret(rule: string, value: string): boolean {
  if (value.length > 1_024 || /\s|^[(<[{]/.test(value) || isStandIn(value) || isKeyName(value)) return false
  if (rule === 'password' || rule === 'short-password') return isTelling(value, '')
  if (NAME.test(value) || isReference(value)) return false
  return rule === 'token' ? OPAQUE.test(value) : isTelling(value, '')
}
