/** Bounds that hold for every fixture, since a fixture may come from anybody's pull request. */
export const LIMITS = {
  /** Envelopes in one trajectory. */
  envelopes: 200_000,
  /** Bytes of one JSON file. */
  fileBytes: 256 * 1024 * 1024,
  /** Bytes of one blob. */
  blobBytes: 512 * 1024 * 1024,
  /** Nested lists and objects, references followed. */
  depth: 1_000,
  /** Size of one file's values with all references followed: 16 a value and one a character. */
  resolvedSize: 2 ** 29,
  /** The same over the whole trajectory. */
  totalSize: 2 ** 36,
  /** Values that the references of one file stand for: a recorded value has a million, and tags take some of their own. */
  referredValues: 2 ** 22,
  /** Characters of text that they stand for: a recorded value has 2^26. */
  referredChars: 5 * 2 ** 24,
  /** List items that references stand for over the whole trajectory, each a copy: a history of thousands of turns. */
  copiedItems: 2 ** 24,
} as const

/** Texts with more characters (UTF-16 units) than this are kept as blobs. */
export const BLOB_CHARS = 64 * 1024

/** Repeated content is written as a reference from about this many characters of JSON on. */
export const SAME_CHARS = 200
