import { urlToHttpOptions } from 'node:url'
import type { DoorTarget } from '../run.js'
import { isOwnOutput } from './read-files.js'

type Given = readonly unknown[]
type Options = Readonly<Record<string, unknown>>
type NetworkTarget = Extract<DoorTarget, { kind: 'network' }>

/** Of `fetch(input)`. */
export function fetchTarget([input]: Given): DoorTarget {
  const url = urlOf(input)
  return url === undefined ? network('unknown', undefined) : urlTarget(url)
}

/** `data:` and `blob:` are read in place. */
export function leavesProcess([input]: Given): boolean {
  // Anything else may be the caller's own object, which is not to be asked twice.
  const isPlain = typeof input === 'string' || input instanceof URL || input instanceof Request
  return !isPlain || !/^(data|blob|about):/.test(urlOf(input)?.protocol ?? '')
}

export const urlTarget = ({ protocol, hostname, port }: URL): DoorTarget =>
  network(hostname, port === '' ? (/^(https|wss):$/.test(protocol) ? 443 : 80) : Number(port))

/** Of `http.request` and its like: `(url, options, callback)` or `(options, callback)`. */
export function requestTarget(defaultPort: number): (given: Given) => DoorTarget {
  return (given) => optionsTarget(requestOptions(given).options, defaultPort)
}

/** What an HTTP request is given, in one object. */
export function requestOptions(given: Given): { options: Options; callback: unknown } {
  const [input, second, third] = given
  const url = typeof input === 'string' || input instanceof URL ? urlOf(input) : undefined
  const first = url === undefined ? (input as Options | undefined) : (urlToHttpOptions(url) as unknown as Options)
  if (url === undefined) return { options: { ...first }, callback: second }
  if (typeof second === 'function') return { options: { ...first }, callback: second }
  return { options: { ...first, ...(second as Options | undefined) }, callback: third }
}

/** Of `agent.addRequest(request, options)`: what is asked over a connection that may be open already. */
export const agentTarget = ([, options]: Given): DoorTarget => optionsTarget((options ?? {}) as Options, 80)

/** Of `socket.connect`: options, `(port, host)`, `(path)`, or the list that Node makes of them. */
export function connectTarget(given: Given, self: unknown): DoorTarget {
  return { ...connectedPlace(given), socket: self as object }
}

function connectedPlace([first, second]: Given): NetworkTarget {
  const given = Array.isArray(first) ? (first as Given)[0] : first
  if (typeof given === 'object' && given !== null) {
    const { host, port, path } = given as Options
    return typeof path === 'string' ? unix(path) : network(textOr(host, 'localhost'), portOf(port))
  }
  if (typeof given === 'string' && portOf(given) === undefined) return unix(given)
  return network(textOr(second, 'localhost'), portOf(given))
}

/** Of `session.request` over an HTTP/2 session that is open already. */
export function sessionTarget(_: Given, self: unknown): DoorTarget {
  const { originSet, socket } = self as { originSet?: readonly string[]; socket?: Options }
  const url = urlOf(originSet?.[0])
  if (url !== undefined) return urlTarget(url)
  return network(textOr(socket?.remoteAddress, 'unknown'), portOf(socket?.remotePort))
}

/** Of `socket.send(message, [offset, length,] port, address)` and `socket.connect(port, address)` of datagrams. */
export function datagramTarget(portAt: 0 | 1): (given: Given, self: unknown) => DoorTarget {
  return (given, self) => {
    const at =
      portAt === 1 && typeof given[2] === 'number' && given[3] !== undefined && !isFunction(given[3]) ? 3 : portAt
    const port = portOf(given[at])
    const connected = connectedTo(self)
    if (connected !== undefined && (at !== 3 || port === undefined)) return connected
    return network(textOr(given[at + 1], 'localhost'), port)
  }
}

/** Of `socket.write`, over a connection that stands already. */
export function openTarget(_: Given, self: unknown): DoorTarget {
  const { remoteAddress, remotePort } = self as Options
  return {
    kind: 'network',
    host: textOr(remoteAddress, 'unix:'),
    port: portOf(remotePort),
    socket: self as object,
    isOpen: true,
  }
}

/** Standard output and error may be sockets: they are the process's own, not the outside. */
export const isNoOutput = (_: Given, self: unknown): boolean => !isOwnOutput((self as { fd?: unknown } | undefined)?.fd)

/** `socket.end(chunk)` writes, `socket.end()` does not. */
export const endsWithChunk = (given: Given, self: unknown): boolean =>
  given[0] !== undefined && given[0] !== null && !isFunction(given[0]) && isNoOutput(given, self)

/** Of a look-up by name or address. */
export const nameTarget = ([name]: Given): DoorTarget => network(textOr(name, 'unknown'), undefined)

function optionsTarget(options: Options, defaultPort: number): DoorTarget {
  if (typeof options.socketPath === 'string') return unix(options.socketPath)
  const host = textOr(options.hostname, textOr(options.host, 'localhost'))
  return network(host, portOf(options.port) ?? portOf(options.defaultPort) ?? defaultPort)
}

function connectedTo(self: unknown): DoorTarget | undefined {
  try {
    const { address, port } = (self as { remoteAddress(): { address: string; port: number } }).remoteAddress()
    return network(address, port)
  } catch {
    return undefined
  }
}

export function urlOf(input: unknown): URL | undefined {
  try {
    if (input instanceof URL) return input
    const text = typeof input === 'string' ? input : (input as { url?: unknown } | null | undefined)?.url
    return new URL(String(text ?? input))
  } catch {
    return undefined
  }
}

const network = (host: string, port: number | undefined): NetworkTarget => ({
  kind: 'network',
  host: host.replace(/^\[|\]$/g, '').toLowerCase(),
  port,
})

const unix = (path: string): NetworkTarget => ({ kind: 'network', host: `unix:${path}`, port: undefined })

const isFunction = (given: unknown): boolean => typeof given === 'function'

const textOr = (given: unknown, otherwise: string): string =>
  typeof given === 'string' && given !== '' ? given : otherwise

function portOf(given: unknown): number | undefined {
  const port = typeof given === 'number' || (typeof given === 'string' && given !== '') ? Number(given) : Number.NaN
  return Number.isInteger(port) && port >= 0 && port < 65_536 ? port : undefined
}
