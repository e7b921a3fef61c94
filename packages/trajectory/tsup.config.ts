import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/secret-worker.ts'],
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'node',
  dts: { entry: 'src/index.ts' },
  sourcemap: true,
  clean: true,
  // Some built-in modules exist only under their full name (`node:sqlite`).
  removeNodeProtocol: false,
})
