/** Text inside SVG. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const number = (value: number): string => (Math.round(value * 10) / 10).toString()

/** A place, and how it is written: `start` and `end` say on which side of the place the text stands. */
export function text(x: number, y: number, said: string, kind: string, anchor: 'start' | 'middle' | 'end' = 'start') {
  return `<text x="${number(x)}" y="${number(y)}" class="${kind}" text-anchor="${anchor}">${escaped(said)}</text>`
}

export function bar(x: number, y: number, width: number, height: number, kind: string): string {
  return `<rect x="${number(x)}" y="${number(y)}" width="${number(Math.max(1, width))}" height="${number(height)}" rx="2" class="${kind}"/>`
}

export function line(points: readonly (readonly [x: number, y: number])[], kind: string): string {
  return `<polyline points="${points.map(([x, y]) => `${number(x)},${number(y)}`).join(' ')}" class="${kind}"/>`
}

export function dot(x: number, y: number, kind: string): string {
  return `<circle cx="${number(x)}" cy="${number(y)}" r="3" class="${kind}"/>`
}

// Readable on a light page and on a dark one.
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 15px }
  .faint { fill: #6e7781; font-size: 12px }
  .ours { fill: #2f6feb } .other { fill: #a8b3bd } .third { fill: #bf5b04 }
  .axis { stroke: #d0d7de; fill: none }
  polyline.ours, polyline.other, polyline.third { fill: none; stroke-width: 2 }
  polyline.ours { stroke: #2f6feb } polyline.other { stroke: #a8b3bd } polyline.third { stroke: #bf5b04 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .faint { fill: #8b949e } .axis { stroke: #3d444d } .other { fill: #6e7781 }
    polyline.other { stroke: #6e7781 }
  }`

/** A picture of these parts. What it shows is said in `label` too, for those who do not see it. */
export function picture(width: number, height: number, label: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}">`,
    `<style>${STYLE}\n</style>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}
