import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandsOf, type Page, readPage, walk } from './support/docs-page.js'
import { typeProblems } from './support/docs-types.js'
import { anchorsOf, blocksOf, linksOf } from './support/markdown.js'
import { ROOT, workspacePackages } from './support/workspace.js'

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .sort()

/** Pages whose code is run. */
const guides = ['README.md', 'docs/production.md', ...pagesIn('docs/guides')].map(readPage)
const tour = readPage('docs/tour.md')
const everyPage = [
  'README.md',
  'CONTRIBUTING.md',
  ...pagesIn('docs'),
  ...workspacePackages().map(({ folder }) => `packages/${folder}/README.md`),
]
  .filter((path) => existsSync(join(ROOT, path)))
  .map(readPage)

const made = (text: string): Page => ({ path: 'docs/made-up.md', text })

describe('the code of', () => {
  test.concurrent('docs/tour.md runs in a clone, and shows what the page says', { timeout: 60_000 }, () =>
    walk(tour, 'clone'),
  )

  test.concurrent.each(guides.map((page) => [page.path, page] as const))('%s runs', { timeout: 60_000 }, (_, page) =>
    walk(page, 'project'),
  )

  test('every page has the right types', { timeout: 60_000 }, () => {
    expect(typeProblems(guides)).toEqual([])
  })

  test('every page is there to be run', () => {
    for (const page of [tour, ...guides]) expect(blocksOf(page.text).length, page.path).toBeGreaterThan(1)
  })
})

describe('a page is refused', () => {
  test.each([
    ['a block that throws', '\n```ts\nthrow new Error("broken")\n```', 'docs/made-up.md:3:7'],
    ['a block that prints', '```ts\nconsole.log(1)\n```', 'docs/made-up.md printed'],
    ['a package that is not there', "```ts\nimport '@reprise/cli'\n```", '@reprise/cli'],
    ['a language nobody runs', '```py\nprint(1)\n```', 'docs/made-up.md:2 has a block of "py"'],
    ['a block without a language', '```\n1\n```', 'docs/made-up.md:2 has a block of ""'],
    ['a command that fails', '```sh\nnode missing.mjs\n```', 'ended with 1'],
    ['a command that should fail', '```sh fails\nnode --version\n```', 'should fail'],
    [
      'output that is not shown',
      '```sh\nnode --version\n```\n```text\nv…\nnope\n```',
      'docs/made-up.md:6 is not shown: nope',
    ],
    [
      'a diff of what is not there',
      '```js file=a.mjs\na()\n```\n```diff file=a.mjs\n-b()\n+c()\n```',
      'a.mjs holds what',
    ],
    ['a fence that is left open', '```ts\n1', 'never closed'],
  ])('with %s', async (_what, text, message) => {
    await expect(walk(made(text), 'project')).rejects.toThrow(message)
  })

  test('with a type that does not fit', () => {
    const page = made("Text.\n\n```ts\nimport { tool } from '@reprise/core'\ntool('a', 5)\n```")
    expect(typeProblems([page])).toEqual([expect.stringMatching(/^docs\/made-up\.md:5 /)])
  })
})

describe('what the pages name', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }

  test('npm scripts are there', () => {
    const missing = everyPage.flatMap(({ path, text }) => {
      const shell = blocksOf(text).filter(({ language }) => language === 'sh')
      const named = [...shell.flatMap(commandsOf), ...text.matchAll(/`(npm [^`]+)`/g)].map((found) =>
        typeof found === 'string' ? found : found[1],
      )
      return named.flatMap((command = '') => {
        const [, script] = /^npm (?:run )?([\w:-]+)/.exec(command) ?? []
        return script === undefined || script === 'install' || script in scripts ? [] : `${path}: ${command}`
      })
    })
    expect(missing).toEqual([])
  })

  test('the packages of the table are those of the workspace', () => {
    const [readme] = guides
    const named = [...(readme?.text ?? '').matchAll(/^\| `(@reprise\/[\w-]+)`/gm)].map(([, name]) => name)
    expect(named.sort()).toEqual(
      workspacePackages()
        .map(({ manifest }) => manifest.name)
        .sort(),
    )
  })

  test('links lead somewhere', () => {
    const lost = everyPage.flatMap(({ path, text }) =>
      linksOf(text).flatMap(({ target, line }) => (isThere(path, target) ? [] : `${path}:${line} ${target}`)),
    )
    expect(lost).toEqual([])
  })

  test('and those that do not are found', () => {
    const page =
      '# A `b` c\n[a](docs/none.md) [b](#a-b-c) [c](#d) [d](https://example.com)\n```md\n[e](no.md)\n```\n`[f](no.md)`'
    expect(linksOf(page).map(({ target }) => target)).toEqual(['docs/none.md', '#a-b-c', '#d', 'https://example.com'])
    expect([...anchorsOf(page)]).toEqual(['a-b-c'])
    expect(isThere('README.md', 'docs/none.md')).toBe(false)
    expect(isThere('README.md', '#no-such-heading')).toBe(false)
    expect(isThere('docs/tour.md', '../README.md#two-commands')).toBe(true)
  })
})

/** Whether a link's target exists, as a file or folder and as a heading; links out of the repository are not followed. */
function isThere(from: string, target: string): boolean {
  if (/^[a-z]+:/i.test(target)) return true
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? from : normalize(join(dirname(from), decodeURIComponent(path)))
  if (!existsSync(join(ROOT, file))) return false
  return anchor === undefined || anchorsOf(readPage(file).text).has(anchor)
}
