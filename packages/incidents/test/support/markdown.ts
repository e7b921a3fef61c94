/** A fenced code block of a page. */
export interface Block {
  /** First word behind the fence. */
  readonly language: string
  /** The words after it: `file=a/b.mjs`, `fails`. */
  readonly words: readonly string[]
  readonly text: string
  /** 1-based line of the page on which the text begins. */
  readonly line: number
}

/** A link of a page, with the 1-based line it stands on. */
export interface Link {
  readonly target: string
  readonly line: number
}

/** The code blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let open: { fence: string; info: string; lines: string[]; line: number } | undefined
  page.split('\n').forEach((text, at) => {
    const [, fence = '', info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(text) ?? []
    if (open === undefined) {
      if (fence !== '') open = { fence, info: info.trim(), lines: [], line: at + 2 }
    } else if (fence.startsWith(open.fence) && info.trim() === '') {
      const [language = '', ...words] = open.info.split(/\s+/)
      blocks.push({ language, words, text: open.lines.join('\n'), line: open.line })
      open = undefined
    } else open.lines.push(text)
  })
  if (open !== undefined) throw new Error(`line ${open.line - 1}: this code block is never closed`)
  return blocks
}

/** What a block says behind its language under a name: `file=a.mjs` under `file`. */
export const wordOf = ({ words }: Block, name: string): string | undefined =>
  words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)

/** The page with everything but prose blanked: code blocks and code inside a line. Lines stay where they are. */
function proseOf(page: string): string[] {
  const lines = page.split('\n')
  for (const { line, text } of blocksOf(page)) {
    const height = text === '' ? 1 : text.split('\n').length
    lines.fill('', line - 1, line - 1 + height)
  }
  return lines.map((line) => line.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, ''))
}

/** Links and pictures of a page. */
export function linksOf(page: string): Link[] {
  return proseOf(page).flatMap((line, at) =>
    [...line.matchAll(/\]\(\s*<?([^)\s>]+)/g), ...line.matchAll(/^\[[^\]]+\]:\s*(\S+)/g)].map(([, target = '']) => ({
      target,
      line: at + 1,
    })),
  )
}

/** The names under which the headings of a page can be linked to, as GitHub makes them. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  const blocked = new Set(blocksOf(page).flatMap(({ line, text }) => text.split('\n').map((_, at) => line + at)))
  page.split('\n').forEach((line, at) => {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? []
    if (heading === undefined || blocked.has(at + 1)) return
    const base = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    let anchor = base
    for (let times = 1; anchors.has(anchor); times += 1) anchor = `${base}-${times}`
    anchors.add(anchor)
  })
  return anchors
}
