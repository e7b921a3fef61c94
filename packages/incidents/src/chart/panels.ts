import { bar, dot, line, text } from './svg.js'

/** A part of a picture, and how high it is. */
export interface Panel {
  readonly height: number
  readonly parts: readonly string[]
}

export interface Bar {
  readonly label: string
  readonly value: number
  readonly said: string
  readonly kind: 'ours' | 'other'
}

export interface Series {
  readonly label: string
  readonly kind: 'ours' | 'other' | 'third'
  readonly points: readonly (readonly [x: number, y: number])[]
}

const LEFT = 16
const LABELS = 290
const ROW = 24
const HEAD = 52

/** Bars one below the other, as long as their values. */
export function bars(top: number, width: number, title: string, about: string, rows: readonly Bar[]): Panel {
  const longest = Math.max(...rows.map(({ value }) => value))
  const room = width - LABELS - 110
  const parts = rows.flatMap(({ label, value, said, kind }, at) => {
    const y = top + HEAD + at * ROW
    const length = (value / longest) * room
    return [
      text(LABELS - 8, y + 13, label, '', 'end'),
      bar(LABELS, y, length, ROW - 8, kind),
      text(LABELS + length + 8, y + 13, said, 'faint'),
    ]
  })
  return { height: HEAD + rows.length * ROW + 16, parts: [...head(top, title, about), ...parts] }
}

/** Lines over a common measure; both axes by powers of ten where `scale` says so, else from zero. */
export function lines(
  top: number,
  width: number,
  title: string,
  about: string,
  series: readonly Series[],
  scale: 'log' | 'linear',
  named: { readonly x: (value: number) => string; readonly y: (value: number) => string },
): Panel {
  const all = series.flatMap(({ points }) => points)
  const along = (value: number): number => (scale === 'log' ? Math.log10(value) : value)
  const span = (values: readonly number[]) => {
    const low = scale === 'log' ? Math.min(...values) : 0
    return { low, range: Math.max(...values) - low || 1 }
  }
  const [xs, ys] = [span(all.map(([x]) => along(x))), span(all.map(([, y]) => along(y)))]
  const [left, right, height] = [LEFT + 64, width - 190, 180]
  const bottom = top + HEAD + height
  const place = ([x, y]: readonly [number, number]): [number, number] => [
    left + ((along(x) - xs.low) / xs.range) * (right - left),
    bottom - ((along(y) - ys.low) / ys.range) * (height - 12),
  ]
  const ticks = (values: readonly number[]) => [...new Set(values)]
  const xTicks = few(ticks(all.map(([x]) => x))).map((x) => {
    return text(place([x, all[0]?.[1] ?? 1])[0], bottom + 18, named.x(x), 'faint', 'middle')
  })
  const [lowest, highest] = [Math.min(...all.map(([, y]) => y)), Math.max(...all.map(([, y]) => y))]
  const yTicks = ticks(scale === 'log' ? [lowest, highest] : [0, highest]).map((y) => {
    return text(left - 8, place([all[0]?.[0] ?? 1, y])[1] + 4, named.y(y), 'faint', 'end')
  })
  let above = Number.NEGATIVE_INFINITY
  const drawn = series
    .map(({ label, kind, points }) => ({ label, kind, places: points.map(place) }))
    .sort((a, b) => (a.places.at(-1)?.[1] ?? 0) - (b.places.at(-1)?.[1] ?? 0))
    .flatMap(({ label, kind, places }) => {
      const [x, y] = places.at(-1) ?? [left, bottom]
      // Names of lines that end close together stand one below the other.
      above = Math.max(y + 4, above + 15)
      return [line(places, kind), ...places.map(([px, py]) => dot(px, py, kind)), text(x + 10, above, label, 'faint')]
    })
  const axis = line(
    [
      [left, top + HEAD],
      [left, bottom],
      [right, bottom],
    ],
    'axis',
  )
  return { height: HEAD + height + 44, parts: [...head(top, title, about), axis, ...xTicks, ...yTicks, ...drawn] }
}

/** Five of them at most, the last among them: more would run into one another. */
function few(values: readonly number[]): readonly number[] {
  const step = Math.ceil(values.length / 5)
  return values.filter((_, at) => (values.length - 1 - at) % step === 0)
}

const head = (top: number, title: string, about: string): string[] => [
  text(LEFT, top + 18, title, 'title'),
  text(LEFT, top + 38, about, 'faint'),
]
