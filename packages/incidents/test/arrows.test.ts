import { describe, expect, it } from 'vitest'
import { ALLOWED, findProblems } from './support/arrows.js'
import { workspacePackages, workspaceSources } from './support/workspace.js'

const check = (files: Record<string, string>) => findProblems(new Map(Object.entries(files)))

describe('the workspace', () => {
  it('has only arrows that point down', () => {
    const sources = workspaceSources()
    expect([...sources.keys()]).toContain('packages/core/src/index.ts')
    expect(findProblems(sources)).toEqual([])
  })

  it('depends on nothing that its sources may not import', () => {
    for (const { folder, manifest } of workspacePackages()) {
      expect(ALLOWED[folder], folder).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies ?? {})))
    }
  })
})

it('one file alone takes timers from Node: names imported elsewhere would follow whoever replaces them', () => {
  const taking = [...workspaceSources()].filter(([, text]) => /from '(node:)?timers'/.test(text)).map(([file]) => file)
  expect(taking).toEqual(['packages/core/src/real-timers.ts'])
})

describe('the check of arrows', () => {
  it('accepts what the list allows', () => {
    const problems = check({
      'packages/recorder/src/index.ts': `
        import { AsyncLocalStorage } from 'node:async_hooks'
        import { boundary } from '@reprise/core'
        import type { Trajectory } from '@reprise/trajectory'
        import { pack } from 'msgpackr/pack'
        export { journal } from './journal.js'
        export type { Frame } from './journal.js'`,
      'packages/recorder/src/journal.ts': `
        // import { no } from 'somewhere'
        export const journal = "import x from 'left-pad'; export * from './no.js'"`,
    })
    expect(problems).toEqual([])
  })

  it.each([
    ['a package above', 'core', `import { record } from '@reprise/recorder'`],
    ['a package beside', 'replayer', `import { record } from '@reprise/recorder'`],
    ['a type of a package above', 'core', `import type { Run } from '@reprise/recorder'`],
    ['an import type of a package above', 'core', `export let run: import('@reprise/recorder').Run`],
    ['a package that nobody listed', 'core', `import pad from 'left-pad'`],
    ['a re-export', 'core', `export { pad } from 'left-pad'`],
    ['a dynamic import', 'core', `const pad = await import('left-pad')`],
    ['a require', 'core', `const pad = require('left-pad')`],
    ['an import equals', 'core', `import pad = require('left-pad')`],
    ['a bare import', 'core', `import 'left-pad'`],
    ['itself by name', 'core', `import { boundary } from '@reprise/core'`],
  ])('catches %s', (_what, owner, line) => {
    const problems = check({ [`packages/${owner}/src/a.ts`]: `\n${line}` })
    expect(problems).toEqual([expect.stringMatching(`^packages/${owner}/src/a.ts:2 imports '.*', but ${owner} may`)])
  })

  it.each([`import { x } from '@reprise/core/src/run.js'`, `import { x } from '@reprise/core/dist/index.js'`])(
    'catches a deep import: %s',
    (line) => {
      expect(check({ 'packages/recorder/src/a.ts': line })).toEqual([
        expect.stringContaining("from inside another package: import '@reprise/core'"),
      ])
    },
  )

  it('catches a path into another package', () => {
    expect(check({ 'packages/recorder/src/a.ts': `import { x } from '../../core/src/run.js'` })).toEqual([
      expect.stringContaining('a file outside its package: import the package by its name'),
    ])
  })

  it("asks for the prefix of Node's modules", () => {
    expect(check({ 'packages/core/src/a.ts': `import { readFile } from 'fs/promises'` })).toEqual([
      "packages/core/src/a.ts:1 imports 'fs/promises': write 'node:fs/promises'",
    ])
  })

  it.each([`export * from './b.js'`, `export * as b from './b.js'`])('catches %s', (line) => {
    const problems = check({ 'packages/core/src/a.ts': line, 'packages/core/src/b.ts': 'export const b = 1' })
    expect(problems).toEqual([expect.stringMatching(/^packages\/core\/src\/a\.ts:1 says `export \*`/)])
  })

  it('catches a cycle and shows the whole way', () => {
    const problems = check({
      'packages/core/src/index.ts': `export { a } from './a.js'`,
      'packages/core/src/a.ts': `import { b } from './deep/b.js'\nexport const a = b`,
      'packages/core/src/deep/b.ts': `import { c } from '../c.js'\nexport const b = c`,
      'packages/core/src/c.ts': `import { a } from './a.js'\nexport const c = () => a`,
    })
    expect(problems).toEqual([
      expect.stringContaining(
        'packages/core/src/a.ts -> packages/core/src/deep/b.ts -> packages/core/src/c.ts -> packages/core/src/a.ts',
      ),
    ])
  })

  it('catches a file that imports itself', () => {
    expect(check({ 'packages/core/src/a.ts': `import './a.js'` })).toEqual([expect.stringContaining('import cycle')])
  })

  it('lets two files know the types of each other', () => {
    const problems = check({
      'packages/core/src/a.ts': `import type { B } from './b.js'\nexport interface A { b: B }`,
      'packages/core/src/b.ts': `import type { A } from './a.js'\nexport interface B { a: A }`,
    })
    expect(problems).toEqual([])
  })

  it('asks for a list when a package is new', () => {
    expect(check({ 'packages/sim/src/a.ts': `import 'node:fs'` })).toEqual([
      expect.stringContaining('add one to ALLOWED'),
    ])
  })
})
