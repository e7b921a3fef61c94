import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const packages = readdirSync(here('packages'), { withFileTypes: true }).filter((entry) => entry.isDirectory())

export default defineConfig({
  // Node can't run TC39 decorators: this target makes esbuild lower them.
  esbuild: { target: 'es2022' },
  test: {
    pool: 'forks',
    // By default one core is left to others; a build server has none.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    projects: packages.map(({ name }) => ({
      extends: true as const,
      root: here(`packages/${name}`),
      test: {
        name,
        include: ['test/**/*.test.ts'],
        setupFiles: [here('.ci/silent-tests.ts')],
      },
    })),
  },
})
