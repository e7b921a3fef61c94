/** One step into a value: a key, or a place in a list. */
export type Step = string | number

const PLAIN = /^[^.\s[\]"'*]+$/

/** One step as it stands inside a path: `.key`, `.3`, or `["a.b"]` for a key with a dot, a space, a bracket, a quote or a star. */
export function formatStep(step: Step): string {
  if (typeof step === 'number' || PLAIN.test(step)) return `.${step}`
  return `[${JSON.stringify(step)}]`
}

/** A path as text: `formatPath('input', [0, 'messages', 'a.b'])` is `input.0.messages["a.b"]`. The root may be empty. */
export function formatPath(root: string, steps: readonly Step[]): string {
  let text = root
  for (const step of steps) text += formatStep(step)
  return root === '' && text.charCodeAt(0) === 46 ? text.slice(1) : text
}

interface Token {
  readonly step: string
  readonly quoted: boolean
}

const TOKEN = /(?:^|\.)([^.\s[\]"']+)|\[("(?:[^"\\]|\\.)*")\]/y

function tokens(text: string): readonly Token[] | undefined {
  const found: Token[] = []
  let at = 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) return undefined
    at = TOKEN.lastIndex
    if (match[2] === undefined) {
      found.push({ step: match[1] ?? '', quoted: false })
      continue
    }
    try {
      found.push({ step: JSON.parse(match[2]) as string, quoted: true })
    } catch {
      return undefined
    }
  }
  return found
}

/** The steps of a path written by {@link formatPath}, list places as digits; undefined when the text is no path. */
export function parsePath(text: string): readonly string[] | undefined {
  return tokens(text)?.map((token) => token.step)
}

/** A path pattern, read once. */
export type PathPattern = (path: string) => boolean

/** Reads a pattern in which `*` stands for one step and `**` for any number; undefined when the text is no path. */
export function compilePattern(pattern: string): PathPattern | undefined {
  const wanted = tokens(pattern)
  if (wanted === undefined) return undefined
  return (path) => {
    const steps = parsePath(path)
    return steps !== undefined && matches(wanted, steps)
  }
}

/** Whether a path matches a pattern; a text that is no pattern matches nothing. */
export function matchPath(pattern: string, path: string): boolean {
  return compilePattern(pattern)?.(path) ?? false
}

/** Goes back to the last `**` only: enough for this grammar, and linear in steps times tokens. */
function matches(wanted: readonly Token[], steps: readonly string[]): boolean {
  let w = 0
  let s = 0
  let star = -1
  let resume = 0
  while (s < steps.length) {
    const token = wanted[w]
    if (token !== undefined && !token.quoted && token.step === '**') {
      star = w++
      resume = s
    } else if (token !== undefined && ((!token.quoted && token.step === '*') || token.step === steps[s])) {
      w++
      s++
    } else if (star >= 0) {
      w = star + 1
      s = ++resume
    } else {
      return false
    }
  }
  while (wanted[w]?.step === '**' && wanted[w]?.quoted === false) w++
  return w === wanted.length
}
