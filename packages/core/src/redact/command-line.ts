import { DIGITS, LETTERS, unitSet } from './character-class.js'
import type { CompiledRules } from './compiled-rules.js'
import { isStandIn, isTelling } from './plausible-value.js'
import { pseudonymEnd } from './pseudonym.js'
import type { Span } from './span.js'

/** What stands between a flag and its value: blanks, or the marks of a list in JSON text. */
const BEFORE_VALUE = /(?:\\{0,7}["'][ \t]{0,4},[ \t\r\n]{0,16}(\\{0,7}["'])|[ \t]{1,4}(\\{0,7}["'])?)/y
const NAME_UNITS = unitSet(`${LETTERS}${DIGITS}_-`)
const LONGEST_NAME = 41
const CAPITAL_A = 65
const WORD = /[^\s"'`\\;|)\],]{1,256}/y

/** Commands that take a password behind a short flag, and where it stands. */
const COMMANDS = [
  { word: 'sshpass', password: /sshpass +-p *\\{0,7}["']?([^\s"'`\\]{1,256})/y },
  {
    word: 'mysql',
    password: /mysql(?:dump|admin|import|show)?(?: +(?!-p)[^\s;|]{1,128}){0,12} +-p\\{0,7}["']?([^\s"'`\\]{1,256})/y,
  },
  {
    word: 'docker login',
    password: /docker login(?: +(?!-p\b)[^\s;|]{1,128}){0,12} +-p *\\{0,7}["']?([^\s"'`\\]{1,256})/y,
  },
  { word: 'redis-cli', password: /redis-cli(?: +(?!-a\b)[^\s;|]{1,128}){0,12} +-a *\\{0,7}["']?([^\s"'`\\]{1,256})/y },
  { word: 'openssl', password: /openssl(?: +(?!pass:)[^\s;|]{1,128}){0,16} +pass:([^\s"'`\\]{1,256})/y },
  {
    word: 'htpasswd',
    password: /htpasswd +-[A-Za-z]*b[A-Za-z]* +[^\s;|]{1,128} +[^\s;|]{1,128} +([^\s"'`\\]{1,256})/y,
  },
  {
    word: 'curl',
    password:
      /curl(?: +(?!-b\b|--cookie\b)[^\s;|]{1,128}){0,12} +(?:-b|--cookie)[ =]*\\{0,7}["']?([^\s"'`\\;]{1,64}=[^"'`\\\r\n]{1,4096})/y,
  },
  { word: 'az login', password: /az login(?: +(?!-p\b)[^\s;|]{1,128}){0,12} +-p *\\{0,7}["']?([^\s"'`\\]{1,256})/y },
  { word: 'ldap', password: /ldap[a-z]{3,8}(?: +(?!-w\b)[^\s;|]{1,128}){0,12} +-w *\\{0,7}["']?([^\s"'`\\]{1,256})/y },
  { word: 'openssl', password: /openssl(?: +(?!-k\b)[^\s;|]{1,128}){0,12} +-k +\\{0,7}["']?([^\s"'`\\]{1,256})/y },
  { word: 'zip', password: /zip(?: +(?!-P\b)[^\s;|]{1,128}){0,4} +-P *\\{0,7}["']?([^\s"'`\\]{1,256})/y },
  { word: '7z', password: /7z(?: +(?!-p)[^\s;|]{1,128}){1,4} +-p\\{0,7}["']?([^\s"'`\\]{4,256})/y },
  {
    word: 'http',
    password:
      /https?(?: +(?!-a\b)[^\s;|]{1,128}){0,4} +(?:-a|--auth)[ =]\\{0,7}["']?[^\s"'`\\:]{1,64}:([^\s"'`\\]{1,256})/y,
  },
  {
    word: 'mongo',
    password: /mongo[a-z]{0,8}(?: +(?!-p\b)[^\s;|]{1,128}){0,12} +-p +\\{0,7}["']?([^\s"'`\\]{3,256})/y,
  },
  { word: 'sqlcmd', password: /sqlcmd(?: +(?!-P)[^\s;|]{1,128}){0,12} +-P *\\{0,7}["']?([^\s"'`\\]{3,256})/y },
  { word: 'bcp ', password: /bcp(?: +(?!-P)[^\s;|]{1,128}){0,12} +-P *\\{0,7}["']?([^\s"'`\\]{3,256})/y },
  {
    word: 'mosquitto_',
    password: /mosquitto_[a-z]{3,8}(?: +(?!-P\b)[^\s;|]{1,128}){0,12} +-P +\\{0,7}["']?([^\s"'`\\]{3,256})/y,
  },
  {
    word: 'keytool',
    password:
      /keytool(?: +(?!-(?:src|dest)?(?:store|key)pass)[^\s;|]{1,128}){0,12} +-(?:src|dest)?(?:store|key)pass +\\{0,7}["']?([^\s"'`\\]{3,256})/y,
  },
  {
    word: 'secret set ',
    password:
      /secret set [\w-]{2,64}(?: +(?!-b\b|--body\b)[^\s;|]{1,128}){0,4} +(?:-b|--body)[ =]+\\{0,7}["']?([^\s"'`\\$]{3,256})/y,
  },
  { word: '--from-literal', password: /--from-literal[= ]\\{0,7}["']?[\w.-]{1,64}=\\{0,7}["']?([^\s"'`\\]{3,256})/y },
] as const
/** `aws configure set aws_secret_access_key …` */
const CONFIGURE = /(?:configure|config) set ([\w.-]{3,64}) \\{0,7}["']?([^\s"'`\\]{3,256})/y

/** `--password …` and `--api-key …`, and the passwords that common commands take. */
export function findOnCommandLine(text: string, rules: CompiledRules, spans: Span[]): void {
  let end = 0
  for (let at = text.indexOf('--'); at >= 0; at = text.indexOf('--', at + 2)) {
    // A row of dashes and words is walked once, however many flags might begin in it.
    if (end < at + 2) end = at + 2
    while (NAME_UNITS[text.charCodeAt(end)] === 1) end++
    if (end - at - 2 <= LONGEST_NAME) findFlag(text, at + 2, end, rules, spans)
  }
  for (let at = text.indexOf('onfig'); at >= 0; at = text.indexOf('onfig', at + 5)) {
    CONFIGURE.lastIndex = at - 1
    const [, name = '', value = ''] = CONFIGURE.exec(text) ?? []
    const rule = name === '' ? undefined : rules.keyRule(name)
    if (rule === undefined || !isTelling(value, '')) continue
    spans.push({ start: CONFIGURE.lastIndex - value.length, end: CONFIGURE.lastIndex, rule })
  }
  if (text.indexOf(' -') < 0) return
  for (const { word, password } of COMMANDS) {
    const rule = word === 'curl' ? 'cookie' : 'password'
    if (!rules.active.has(rule)) continue
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      password.lastIndex = at
      const value = password.exec(text)?.[1]
      if (value === undefined || isStandIn(value) || !/^[^-]*[A-Za-z0-9]/.test(value)) continue
      if (pseudonymEnd(text, password.lastIndex - value.length) >= 0) continue
      spans.push({ start: password.lastIndex - value.length, end: password.lastIndex, rule })
    }
  }
}

function findFlag(text: string, start: number, end: number, rules: CompiledRules, spans: Span[]): void {
  if (end - start < 3 || text.charCodeAt(start) < CAPITAL_A) return
  BEFORE_VALUE.lastIndex = end
  const before = BEFORE_VALUE.exec(text)
  const rule = before === null ? undefined : rules.keyRule(text.slice(start, end))
  if (before === null || rule === undefined) return
  const at = BEFORE_VALUE.lastIndex
  if (pseudonymEnd(text, at) >= 0) return
  WORD.lastIndex = at
  const value = WORD.exec(text)?.[0] ?? ''
  const quoted = (before[1] ?? before[2]) !== undefined
  if (value.startsWith('-') || !(quoted ? value.length > 3 && !isStandIn(value) : isTelling(value, ''))) return
  spans.push({ start: at, end: WORD.lastIndex, rule })
}
