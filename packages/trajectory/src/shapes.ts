const STREAMS = [
  ...(['async-generator', 'generator', 'async-iterable', 'web-stream', 'node-stream', 'response'] as const),
]

/** The shapes of streams, at once and by a promise. */
export const STREAM_SHAPES = [...STREAMS, ...STREAMS.map((kind) => `promise<${kind}>` as const)] as const
