import { openFrom } from './open-end.js'
import type { Span } from './span.js'

/** What one event says. */
interface Place {
  readonly start: number
  readonly end: number
  /** Number of the event. */
  readonly event: number
}

/** What one member of many events says, such as `content`: one text to its reader, in parts that are far from one another. */
interface EventText {
  readonly parts: Place[]
  readonly text: string
  /** Server-sent events are pieces of one text. Lines of JSON may as well be a log, of which each stands for itself. */
  readonly isStream: boolean
}

const EVENT = /(?:^|\n)(?:data:|[[{])/
const DATA = 'data:'
/** One that is not closed goes on to the end, or each quotation mark in it would be looked at as another beginning. */
const STRING = /"((?:[^"\\]|\\.)*)(?:"([ \t]*:)?|\\?$)/sy
const RETURN = 13
const TAB = 9
const BLANK = 32
const BRACKET = 91
const BRACE = 123
/** Members that are noise, made to be so. */
const NOISE = new Set(['obfuscation'])

/**
 * The texts that are spread over the events of a text: of server-sent events, or of a JSON text a line. What says the same
 * in each event, as an id does, is no such text.
 */
function eventTexts(text: string, least: number): readonly EventText[] {
  // One line is one event.
  if (least > 1 && text.indexOf('\n') < 0) return []
  if (!EVENT.test(text)) return []
  const members = new Map<string, Place[]>()
  let event = 0
  let isStream = true
  const add = (member: string, start: number, length: number): void => {
    if (length === 0) return
    const place = { start, end: start + length, event }
    const places = members.get(member)
    if (places === undefined) members.set(member, [place])
    else places.push(place)
  }
  for (let start = 0, end = 0; end < text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end < 0) end = text.length
    event += 1
    const isData = text.startsWith(DATA, start)
    const from = isData ? afterData(text, start + DATA.length) : start
    const to = end > from && text.charCodeAt(end - 1) === RETURN ? end - 1 : end
    const first = text.charCodeAt(from)
    if (from < to && (first === BRACKET || first === BRACE)) {
      isStream &&= isData
      addMembers(text.slice(from, to), from, add)
    } else if (isData) add('data', from, to - from)
  }
  return [...members].flatMap(([member, parts]) => {
    if (new Set(parts.map((part) => part.event)).size < least || NOISE.has(member.slice(1))) return []
    const texts = parts.map(({ start, end }) => text.slice(start, end))
    if (texts.length > 1 && texts.every((one) => one === texts[0])) return []
    return [{ parts, text: texts.join(''), isStream }]
  })
}

function afterData(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit === BLANK || unit === TAB ? at + 1 : at
}

/** The texts in the JSON of one event, by the names they stand behind. */
function addMembers(said: string, from: number, add: (member: string, start: number, length: number) => void): void {
  let member = ''
  for (let at = said.indexOf('"'); at >= 0; at = said.indexOf('"', STRING.lastIndex)) {
    STRING.lastIndex = at
    const [, content = '', isKey] = STRING.exec(said) ?? []
    if (isKey !== undefined) member = content
    else add(`"${member}`, from + at + 1, content.length)
    if (STRING.lastIndex <= at) break
  }
}

/** The secrets that are spread over events: the first part of each, then those that go on. */
export function findInEvents(text: string, find: (text: string) => readonly Span[], spans: Span[]): void {
  for (const { parts, text: said, isStream } of eventTexts(text, 2)) {
    // Secrets and parts are both in order: each secret looks on from the part where the one before it began.
    let first = 0
    let firstAt = 0
    for (const { start, end, rule, secret = said.slice(start, end) } of find(said)) {
      const found: Span[] = []
      for (let part = parts[first]; part !== undefined && firstAt + part.end - part.start <= start; ) {
        firstAt += part.end - part.start
        part = parts[++first]
      }
      let at = firstAt
      let begins: number | undefined
      for (let i = first; i < parts.length; i++) {
        const part = parts[i] as Place
        const length = part.end - part.start
        const [from, to] = [Math.max(start, at), Math.min(end, at + length)]
        if (from < to) {
          const place = { start: part.start + from - at, end: part.start + to - at }
          found.push({ ...place, rule, secret, ...(begins !== undefined && { begins }) })
          begins ??= place.start
        }
        at += length
        if (at >= end) break
      }
      if (isStream || found.length > 1) spans.push(...found)
    }
  }
}

/** From where on the events of a text that goes on may hold the beginning of a secret. */
export function openEventsFrom(text: string, find: (text: string) => readonly Span[]): number {
  let open = text.length
  for (const { parts, text: said } of eventTexts(text, 1)) {
    let left = said.length - openFrom(said, find(said))
    for (let at = parts.length - 1; left > 0 && at >= 0; at--) {
      const { start, end } = parts[at] as Place
      open = Math.min(open, start)
      left -= end - start
    }
  }
  return open
}
