import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportedNames, installPacked } from './support/packed.js'
import { readManifest, workspacePackages } from './support/workspace.js'

// What a user gets: each package packed, unpacked into an empty project, and loaded by a process of its own.
const published = workspacePackages().filter(({ manifest }) => !manifest.private)
const project = mkdtempSync(join(tmpdir(), 'reprise-packed-'))

beforeAll(() => installPacked(published, project), 60_000)
afterAll(() => rmSync(project, { recursive: true, force: true }))

interface Condition {
  readonly types: string
  readonly default: string
}

describe.each(published)('$manifest.name, packed', ({ manifest: { name } }) => {
  const installed = join(project, 'node_modules', name)

  it('has nothing that publint objects to', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, level: 'warning', strict: true })
    const manifest = { ...readManifest(installed) }
    expect(messages.map((message) => formatMessage(message, manifest, { color: false }))).toEqual([])
  })

  it('depends on versions, not on the workspace', () => {
    expect(JSON.stringify(readManifest(installed))).not.toContain('workspace:')
  })

  it('brings its license', () => {
    expect(existsSync(join(installed, 'LICENSE'))).toBe(true)
  })

  it('has code and types for import and for require at every entry', () => {
    const { './package.json': _, ...entries } = readManifest(installed).exports ?? {}
    expect(Object.keys(entries)).toContain('.')
    for (const [entry, conditions] of Object.entries(entries)) {
      const { import: esm, require: cjs } = conditions as { import: Condition; require: Condition }
      expect([esm.types, cjs.types], entry).toEqual([
        expect.stringMatching(/\.d\.ts$/),
        expect.stringMatching(/\.d\.cts$/),
      ])
      for (const file of [esm.types, esm.default, cjs.types, cjs.default]) {
        expect(existsSync(join(installed, file)), `${entry}: ${file}`).toBe(true)
      }
    }
  })

  it('exports the same names to import and to require', async () => {
    const [esm, cjs] = await Promise.all([
      exportedNames(project, name, 'import'),
      exportedNames(project, name, 'require'),
    ])
    expect(esm).not.toEqual([])
    expect(cjs).toEqual(esm)
  })
})
