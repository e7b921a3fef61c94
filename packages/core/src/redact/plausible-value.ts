import { keyFamily } from './key-family.js'
import { isPseudonym } from './pseudonym.js'

const WORDS = new Set(
  [
    'true false null none nil undefined yes no on off string str number int integer float boolean bool object array any text',
    'bytes date required optional hidden redacted masked unknown invalid missing expired empty default password passwd',
    'secret token include omit same-origin enabled disabled function async await return self this not and or the a an is are',
    'bearer basic digest',
  ]
    .join(' ')
    .split(' '),
)
/** What lists of required fields name beside a password. */
const FIELDS = new Set(
  'username user userid email mail login name firstname lastname id url host hostname port type role title phone database'.split(
    ' ',
  ),
)
const STAND_IN =
  /^(?:[*.xX\u2022_#?-]+|[!*&][A-Za-z_-]+|\$\{[^}]*\}?|\$\([^)]*\)|\$[A-Z_][A-Z0-9_]*|\{[^}]*\}|<[^>]*>|%[^%]*%|%[sdrv]|\.{3}.*|(?:your|example|dummy|placeholder)[-_ ].*|(?:process\.env|os\.environ|import\.meta|env)[.[].*)$/i
/** `options.token`, and `keys_1.Keys` as TypeScript compiles an import. */
const NAME_PATH = /^(?:!{0,2}[A-Za-z_$]+(?:\??\.[A-Za-z_$]+)+|[A-Za-z_$]+_[0-9]{1,2}\.[A-Za-z_$][\w$]*)$/
/** The name of something registered, or of a file that holds the secret. */
const POINTER =
  /^(?:urn:[a-z].*|arn:aws[\w-]{0,12}:.*|(?:~|\.{1,2})?\/[\w./@-]{1,200}\.(?:json|pem|key|txt|p12|pfx|crt|cer|jks|ya?ml|env)|\.{1,2}\/[\w./@-]{1,200}\.[a-z]{1,5})$/
/** An address without a user, a query or a fragment; a comment. */
const REFERENCE = /^(?:https?:\/\/[^@?#]*|\/\*.*)$/
/** What stands beside a package's name. */
const VERSION =
  /^(?:\*|(?:workspace:)?[~^]?(?:[<>=]{1,2} ?)?v?[0-9]{1,3}(?:\.(?:[0-9]{1,5}|x|\*)){0,2}(?:-[a-z]{1,8}\.?[0-9]{0,4})?)$/
const TELLING = /[0-9!@#$%^&*+/=?~]/
const SYMBOL = /[!@#$%^&*+/=?~]/

/** Whether a text stands where a secret would without being one: a placeholder, a variable, a type, a plain word. */
export function isStandIn(value: string): boolean {
  return WORDS.has(value.toLowerCase()) || STAND_IN.test(value) || isPseudonym(value)
}

/** Whether a bare value is only a variable's name: `auth_token=auth_token`, `credentials=state_credentials`. */
export function isArgument(name: string, rule: string, value: string): boolean {
  if (value === name) return true
  return rule !== 'password' && /^[a-z]+(?:_[a-z]+)+$/.test(value) && keyFamily(value) === rule
}

/** Whether a text only points at something: an address, a registered name, the name of a kind of token. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value) || POINTER.test(value) || /^[a-z]+_token$/.test(value)
}

/** Whether an unquoted value right after `key=` is a value and not code: a call, an index, a property of something. */
export function isPlainValue(value: string, next: string): boolean {
  return (
    value.length >= 3 &&
    next !== '(' &&
    next !== '[' &&
    !isStandIn(value) &&
    !NAME_PATH.test(value) &&
    !REFERENCE.test(value) &&
    !POINTER.test(value)
  )
}

/** Whether a word of prose or code looks like a secret by itself: letters together with digits or with symbols. */
export function isTelling(value: string, next: string): boolean {
  if (value.length < 6 || !TELLING.test(value)) return false
  const mixed = /[A-Za-z]/.test(value) || (/[0-9]/.test(value) && SYMBOL.test(value))
  return mixed && isPlainValue(value, next)
}

const PACKAGES = new Set(['token', 'cookie', 'secret', 'api-key', 'credentials'])

/**
 * Whether a whole value under a sensitive key is worth hiding. Two keys have other meanings as well: `token` in the
 * log probabilities of a model's answer (pieces of words) and `credentials` in the options of `fetch`.
 */
export function isSecretValue(rule: string, value: string): boolean {
  if (value === '' || isPseudonym(value)) return false
  // In a list of packages, `jsonwebtoken` and `js-cookie` have versions.
  if (PACKAGES.has(rule) && /[.^~*]/.test(value) && VERSION.test(value)) return false
  if (rule !== 'password' && POINTER.test(value)) return false
  if (rule === 'cookie' && /^[0-9]{1,9}$/.test(value)) return false
  if (rule === 'credentials') return value !== 'include' && value !== 'omit' && value !== 'same-origin'
  if (rule === 'short-password') return isTelling(value, '')
  if (rule === 'basic-auth') return value.length >= 12 && isTelling(value, '')
  return rule !== 'token' || !isWordPiece(value)
}

/** Whether a text is the name of a field: two such side by side are names in a list, not a name and its value. */
export function isKeyName(value: string): boolean {
  return FIELDS.has(value.toLowerCase().replace(/[_-]/g, '')) || keyFamily(value) !== undefined
}

function isWordPiece(value: string): boolean {
  if (/^\s|\s$/.test(value) || value.startsWith('<|')) return true
  return value.length < 4 || (value.length < 8 && !/[0-9]/.test(value))
}
