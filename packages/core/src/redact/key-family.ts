/** The families of keys whose values are secret; each is a rule that `remove` may name. */
export const KEY_FAMILIES = [
  { id: 'password', title: 'Passwords and passphrases, by key' },
  { id: 'short-password', title: 'Passwords under the short keys pass and pw, unless they are plain words or numbers' },
  { id: 'authorization', title: 'Authorization headers, by key' },
  { id: 'cookie', title: 'Cookies, by key' },
  { id: 'private-key', title: 'Private keys, by key' },
  { id: 'secret', title: 'Client, signing and webhook secrets, AWS secret access keys, by key' },
  { id: 'api-key', title: 'API, access and encryption keys, by key' },
  { id: 'token', title: 'Access, refresh, session and other tokens, by key' },
  { id: 'credentials', title: 'Credentials, by key' },
  { id: 'connection-string', title: 'Connection strings, by key' },
] as const

const FAMILIES: ReadonlySet<string> = new Set(KEY_FAMILIES.map(({ id }) => id))

/** Whether a rule is one of these. */
export const isKeyFamily = (rule: string): boolean => FAMILIES.has(rule)

/** What a key ends in once letter case and separators are gone; the first that fits decides. */
const ENDINGS: readonly (readonly [family: string, endings: readonly string[]])[] = [
  [
    'password',
    [
      ...[
        'password',
        'passwords',
        'passwd',
        'passwrd',
        'passwort',
        'kennwort',
        'motdepasse',
        'contrasena',
        'contraseña',
        'senha',
        'пароль',
        '密码',
        '密碼',
        '口令',
        'パスワード',
        '비밀번호',
        'pwd',
        'passphrase',
        'passcode',
        'passwordhash',
        'passwordconfirm',
      ],
      ...['passwordconfirmation', 'passwordrepeat', 'dbpass', 'userpass', 'smtppass', 'mailpass', 'sshpass', 'ftppass'],
      ...[
        'redispass',
        'mysqlpass',
        'pgpass',
        'postgrespass',
        'mongopass',
        'rootpass',
        'adminpass',
        'authpass',
        'proxypass',
      ],
    ],
  ],
  ['authorization', ['authorization', 'authheader', 'basicauth', 'httpauth']],
  ['cookie', ['cookie', 'cookies']],
  ['private-key', ['privatekey', 'privatekeypem', 'privatepem', 'clientkeydata']],
  [
    'secret',
    [
      ...['secret', 'secrets', 'secretkey', 'secretkeybase', 'secretaccesskey', 'secretvalue', 'clientsecretvalue'],
      ...[
        'secretstring',
        'secretbinary',
        'recoverycode',
        'recoverycodes',
        'backupcode',
        'backupcodes',
        'securityanswer',
      ],
      ...['codeverifier', 'seedphrase', 'mnemonicphrase', 'mnemonic', 'recoveryphrase'],
    ],
  ],
  [
    'api-key',
    [
      ...[
        'apikey',
        'apikeys',
        'accesskey',
        'encryptionkey',
        'signingkey',
        'masterkey',
        'accountkey',
        'subscriptionkey',
      ],
      ...['authkey', 'functionskey', 'sharedkey', 'hmackey', 'aeskey', 'sessionkey', 'openaikey', 'anthropickey'],
      ...[
        'geminikey',
        'mistralkey',
        'groqkey',
        'stripekey',
        'sendgridkey',
        'twiliokey',
        'servicerolekey',
        'applicationkey',
        'appkey',
      ],
    ],
  ],
  [
    'token',
    ['token', 'accesstokens', 'refreshtokens', 'authtokens', 'apitokens', 'bearertokens', 'sessiontokens', 'jwt'],
  ],
  ['credentials', ['credential', 'credentials', 'creds']],
  ['connection-string', ['connectionstring', 'connstring', 'connstr']],
]

/** Keys that are secret only when they stand alone. */
const WHOLE = new Map([
  ['pass', 'short-password'],
  ['pw', 'short-password'],
  ['passe', 'short-password'],
  ['otp', 'password'],
  ['auth', 'basic-auth'],
])

/** What a sensitive key may end in, for {@link keyTails}. */
export const KEY_ENDINGS: readonly string[] = [...ENDINGS.flatMap(([, endings]) => endings), ...WHOLE.keys()]

/** Words before `token` that make it a place in a list, a piece of text or a design value instead of a secret. */
const HARMLESS_TOKENS = new Set(
  [
    'next nextpage page prev previous prevpage previouspage continuation continue nextcontinuation sync nextsync resume',
    'skip delta cursor pagination start starting end ending max min num first last eos bos pad padding unk unknown sep',
    'cls mask special stop image audio text input output prompt completion cached reasoning total per cancel',
    'cancellation idempotency clientrequest concurrency abort marker change watermark design color css theme native',
    'decoded sub word each top generated predicted sampled significant',
  ]
    .join(' ')
    .split(' '),
)

const SEPARATORS = [45, 46, 95]

/** Words that begin a question or an amount about a secret instead of naming one. */
const ASIDES =
  /^(?:is|has|had|use|uses|enable|enables|enabled|disable|disabled|allow|allows|accept|accepts|require|requires|needs?|show|num|max|min|count|forgot|prior|pre|public|publishable)(?=[A-Z_\-. ])/
const PUBLIC = /public|publishable/

/** The family of a key, in any letter case and with any separators, or undefined when its values are harmless. */
export function keyFamily(key: string): string | undefined {
  if (key.length < 2 || key.length > 100) return undefined
  if (key === 'PWD' || key === 'OLDPWD' || ASIDES.test(key)) return undefined
  const bare = squash(key).replace(/[0-9]{1,3}$/, '')
  const alone = WHOLE.get(bare)
  if (alone !== undefined) return alone
  for (const [family, endings] of ENDINGS) {
    if (!endings.some((ending) => bare.endsWith(ending))) continue
    if (PUBLIC.test(bare) || (family === 'token' && bare.endsWith('token') && isHarmlessToken(key, bare)))
      return undefined
    return family
  }
  return undefined
}

/** A key without letter case and separators: `X-Api_Key` and `xApiKey` are both `xapikey`. */
export function squash(key: string): string {
  return key.replace(/[\s._-]+/g, '').toLowerCase()
}

/** The last three characters of every key that can be sensitive, for a cheap no. */
export function keyTails(keys: readonly string[]): Uint8Array {
  const tails = new Uint8Array(32_768)
  const any = Array.from({ length: 32 }, (_, unit) => unit)
  for (const key of keys) {
    const end = key.length - 1
    // What stands before a key of one or two characters may be anything.
    const seconds = end > 0 ? [key.charCodeAt(end - 1)] : any
    for (const second of seconds) {
      for (const third of end > 1 ? [key.charCodeAt(end - 2)] : any)
        tails[tailIndex(third, second, key.charCodeAt(end))] = 1
      // A separator may stand between the last characters: `user_id` is `userid`.
      for (const separator of SEPARATORS) {
        tails[tailIndex(separator, second, key.charCodeAt(end))] = 1
        tails[tailIndex(second, separator, key.charCodeAt(end))] = 1
      }
    }
  }
  return tails
}

/** Where three characters stand in {@link keyTails}; upper and lower case of a letter share a place. */
export function tailIndex(third: number, second: number, last: number): number {
  return ((third & 31) << 10) | ((second & 31) << 5) | (last & 31)
}

function isHarmlessToken(key: string, bare: string): boolean {
  if (HARMLESS_TOKENS.has(bare.slice(0, -'token'.length))) return true
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  return words.length > 1 && HARMLESS_TOKENS.has(words[words.length - 2] ?? '')
}
