import type { CompiledRules } from './compiled-rules.js'
import { isStandIn, isTelling } from './plausible-value.js'
import type { Span } from './span.js'

/** A flag's name, and what stands between it and its value: blanks, or the marks of a list in JSON text. */
const FLAG = /--([A-Za-z][\w-]{2,40})(?:\\{0,7}["'][ \t]{0,4},[ \t\r\n]{0,16}(\\{0,7}["'])|[ \t]{1,4}(\\{0,7}["'])?)/y
const WORD = /[^\s"'`\\;|)\],]{1,256}/y

/** Commands that take a password behind a short flag, and where it stands. */
const COMMANDS = [
  { word: 'sshpass', password: /sshpass +-p *\\{0,7}["']?([^\s"'`\\]{1,256})/y },
  {
    word: 'mysql',
    password: /mysql(?:dump|admin|import|show)?(?: +(?!-p)[^\s;|]{1,128}){0,12} +-p([^\s"'`\\]{1,256})/y,
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
] as const

/** `--password …` and `--api-key …`, and the passwords that common commands take. */
export function findOnCommandLine(text: string, rules: CompiledRules, spans: Span[]): void {
  if (text.indexOf('-') < 0) return
  for (let at = text.indexOf('--'); at >= 0; at = text.indexOf('--', at + 2)) findFlag(text, at, rules, spans)
  if (text.indexOf(' -') < 0) return
  for (const { word, password } of COMMANDS) {
    const rule = word === 'curl' ? 'cookie' : 'password'
    if (!rules.active.has(rule)) continue
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      password.lastIndex = at
      const value = password.exec(text)?.[1]
      if (value === undefined || isStandIn(value) || value.startsWith('-')) continue
      spans.push({ start: password.lastIndex - value.length, end: password.lastIndex, rule })
    }
  }
}

function findFlag(text: string, at: number, rules: CompiledRules, spans: Span[]): void {
  FLAG.lastIndex = at
  const flag = FLAG.exec(text)
  if (flag === null) return
  const rule = rules.keyRule(flag[1] ?? '')
  if (rule === undefined) return
  WORD.lastIndex = FLAG.lastIndex
  const value = WORD.exec(text)?.[0] ?? ''
  const quoted = (flag[2] ?? flag[3]) !== undefined
  if (value.startsWith('-') || !(quoted ? value.length > 3 && !isStandIn(value) : isTelling(value, ''))) return
  spans.push({ start: FLAG.lastIndex, end: WORD.lastIndex, rule })
}
