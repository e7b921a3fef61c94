import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/join.ts'],
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'node',
  dts: true,
  sourcemap: true,
  clean: true,
  // Some built-in modules exist only under their full name (`node:sqlite`).
  removeNodeProtocol: false,
})
