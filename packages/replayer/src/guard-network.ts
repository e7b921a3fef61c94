/** `host:port`, where both may hold `*`; an IPv6 address in brackets or without; `unix:` and a path. */
const PATTERN = /^(unix:.+|.+:(\d{1,5}|\*))$/

export const isNetworkPattern = (text: string): boolean => PATTERN.test(text)

/** Says whether one of the patterns means a place; without a port, one that is only looked up, the host is enough. */
export function networkGrants(patterns: readonly string[]): (host: string, port: number | undefined) => boolean {
  const known = patterns.map(toPattern)
  return (host, port) => {
    const asked = host.replace(/\.$/, '')
    return known.some(
      (one) => one.host.test(asked) && (port === undefined || one.port === '*' || one.port === String(port)),
    )
  }
}

function toPattern(text: string): { host: RegExp; port: string } {
  const isPath = text.startsWith('unix:')
  const at = isPath ? text.length : text.lastIndexOf(':')
  const host = text.slice(0, at).replace(/^\[|\]$/g, '')
  const escaped = host.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return { host: new RegExp(`^${escaped}$`, isPath ? '' : 'i'), port: isPath ? '*' : text.slice(at + 1) }
}
