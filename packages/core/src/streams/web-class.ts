import { ReadableStream as OfNode } from 'node:stream/web'

/** The host's `ReadableStream`; Node's own where the host has none, as in a test environment that plays a browser. */
export const webStreamClass = (): typeof ReadableStream =>
  (globalThis as Partial<typeof globalThis>).ReadableStream ?? (OfNode as unknown as typeof ReadableStream)
