import { defineConfig } from 'tsup'

export default defineConfig({
  // The second is what the process of a sandbox runs.
  entry: ['src/index.ts', 'src/sandbox-child.ts'],
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'node',
  dts: { entry: 'src/index.ts' },
  // `import.meta.url` in the CJS build too.
  shims: true,
  sourcemap: true,
  clean: true,
  // Some built-in modules exist only under their full name (`node:sqlite`).
  removeNodeProtocol: false,
})
