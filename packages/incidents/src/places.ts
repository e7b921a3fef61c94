import { fileURLToPath } from 'node:url'

// src/ and dist/ lie equally deep, so this holds for both.
const root = new URL('../../../', import.meta.url)

/** Absolute path of something in the repository. */
export const inRepository = (path: string): string => fileURLToPath(new URL(path, root))

/** Absolute path of a committed fixture. */
export const fixture = (name: string): string => inRepository(`fixtures/${name}`)
