import { defineConfig } from 'tsup'

export default defineConfig({
  // Every file stays a file of its own: a demo or a test may start any of them as a process.
  entry: ['src/**/*.ts'],
  bundle: false,
  format: ['esm'],
  target: 'es2022',
  platform: 'node',
  sourcemap: true,
  clean: true,
  removeNodeProtocol: false,
})
