import type { Run } from '../../src/index.js'

/** A run that lets everything through, but for what a test wants it to do. */
export const runWith = (parts: Partial<Run> = {}): Run => ({
  mode: 'recording',
  isOpen: true,
  ambient: undefined,
  cross: ({ fn }, self, args) => Reflect.apply(fn, self, args),
  outside: () => undefined,
  ...parts,
})
