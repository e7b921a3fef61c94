import { type MarkType, parseAddress, type Schedule, type ScheduleMark } from '@reprise/core'

/** Between two bursts of one turn. */
const BURST = '|'
const MARK = /^(\d{1,9})(?:<(\d{1,9}))? ([-+.$x*E])([\s\S]*)$/

/** The marks of a turn as text, in order; a turn always begins a burst. */
export function writeTurn(turn: readonly ScheduleMark[]): string[] {
  const out: string[] = []
  let burst = turn[0]?.burst
  for (const mark of turn) {
    if (mark.burst !== burst) out.push(BURST)
    burst = mark.burst
    const pulled = mark.pulled === undefined ? '' : `<${mark.pulled}`
    out.push(`${mark.round}${pulled} ${mark.type}${mark.address ?? mark.timer ?? ''}`)
  }
  return out
}

/** All turns; bursts are counted on over the whole run. */
export const writeTurns = (turns: Schedule['turns']): string[][] => turns.map(writeTurn)

/** What is wrong with a turn's text; the reader adds the file. */
export class BadMark extends Error {}

/** Undoes {@link writeTurns}; what it makes is frozen. Throws a {@link BadMark}. */
export function parseTurns(turns: readonly (readonly string[])[]): Schedule['turns'] {
  let burst = -1
  const all = turns.map((turn, number) => {
    let open = false
    const marks: ScheduleMark[] = []
    for (const [place, text] of turn.entries()) {
      if (text === BURST) {
        if (!open || place === turn.length - 1) throw new BadMark(`an empty burst in turn ${number + 1}`)
        open = false
        continue
      }
      if (!open) burst += 1
      open = true
      const mark = parseMark(text, burst)
      if (mark === undefined)
        throw new BadMark(`${JSON.stringify(text).slice(0, 200)} in turn ${number + 1} is no mark`)
      marks.push(Object.freeze(mark))
    }
    return Object.freeze(marks)
  })
  return Object.freeze(all)
}

function parseMark(text: string, burst: number): ScheduleMark | undefined {
  const [, round, pulled, type, rest] = MARK.exec(text) ?? []
  if (round === undefined || type === undefined || rest === undefined) return undefined
  const mark: { -readonly [K in keyof ScheduleMark]: ScheduleMark[K] } =
    pulled === undefined
      ? { type: type as MarkType, round: Number(round), burst }
      : { type: type as MarkType, round: Number(round), pulled: Number(pulled), burst }
  if (type === 'E') return rest === '' ? mark : undefined
  if (type === '*') {
    if (!/^[1-9]\d{0,8}$/.test(rest)) return undefined
    mark.timer = Number(rest)
    return mark
  }
  if (parseAddress(rest) === undefined) return undefined
  mark.address = rest
  return mark
}

/** The same turns with bursts counted densely, each turn beginning one: the only form the text can hold. */
export const normalTurns = (turns: Schedule['turns']): Schedule['turns'] => parseTurns(writeTurns(turns))
