const FRAME = /^(\s+at (?:.*\()?(?:async )?)(.+?)(:\d+:\d+\)?)$/
const MAX_LINE = 1_000
/** Frames that tell nothing about the agent: Node's own and ours. */
const FOREIGN =
  /node:|[\\/]@?reprise[\\/](core|recorder|replayer)[\\/]|[\\/]packages[\\/](core|recorder|replayer)[\\/](dist|src)[\\/]/

/**
 * A stack that says nothing of the machine it was taken on, so that a recording made elsewhere has the same: places
 * below the working directory are relative to it, those of packages begin at `node_modules`, others keep their file's
 * name. Frames of Node's and ours are left out.
 */
export function portableStack(stack: string): string {
  const here = workingDirectory()
  return stack
    .split('\n')
    .flatMap((line) => {
      if (line.length > MAX_LINE || !line.trimStart().startsWith('at ')) return [line]
      const frame = FRAME.exec(line)
      if (frame === null) return line.includes('node:') ? [] : [line]
      const [, head = '', place = '', tail = ''] = frame
      return FOREIGN.test(place) ? [] : [head + portablePlace(place, here) + tail]
    })
    .join('\n')
}

function portablePlace(place: string, here: string): string {
  const path = place.replace(/^file:\/\/(?=\/)/, '').replaceAll('\\', '/')
  if (here !== '' && path.startsWith(here)) return path.slice(here.length)
  const modules = path.lastIndexOf('/node_modules/')
  if (modules >= 0) return path.slice(modules + 1)
  return path.includes('/') ? path.slice(path.lastIndexOf('/') + 1) : path
}

function workingDirectory(): string {
  try {
    return `${process.cwd().replaceAll('\\', '/')}/`
  } catch {
    // It has been removed.
    return ''
  }
}
