import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Stage } from './support/docs-stage.js'

const CODE = `
import { type Boundary, boundary, model, router, tool } from '@reprise/core'
import { createRecorder, loadRun, openRun, record } from '@reprise/recorder'
import { replay } from '@reprise/replayer'
import { loadTrajectory, openTrajectory, type OpenTrajectory, type Trajectory } from '@reprise/trajectory'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(is: Equal<A, B>): boolean => is

type Chunk = { delta: string }
type Full = { text: string }
function create(given: { stream: true }): AsyncIterable<Chunk>
function create(given: { stream?: false }): Promise<Full>
function create(_given: { stream?: boolean }): AsyncIterable<Chunk> | Promise<Full> { return null as never }

for (const wrapped of [boundary('create', create), model('create', create), tool('create', create)]) {
  const stream: AsyncIterable<Chunk> = wrapped({ stream: true })
  const full: Promise<Full> = wrapped({})
  // @ts-expect-error a stream is no promise
  const wrong: Promise<Full> = wrapped({ stream: true })
  same<typeof wrapped, typeof create>(true)
  void [stream, full, wrong]
}

const openedRun: OpenTrajectory = openRun('.reprise', 'a')
const opened: Promise<OpenTrajectory> = openTrajectory('fixtures/a')
const whole: Promise<Trajectory> = openTrajectory(new URL('file:///a'))
const addresses: readonly string[] = openedRun.addresses
// @ts-expect-error what is loaded has no index
const none: OpenTrajectory = loadRun('.reprise', 'a')
// @ts-expect-error nor has this
const neither: Promise<OpenTrajectory> = loadTrajectory('fixtures/a')
// @ts-expect-error it is read-only
openedRun.addresses = []
void [openedRun, opened, whole, addresses, none, neither]

const parse = tool('parse', async <T,>(schema: (given: unknown) => T, given: unknown): Promise<T> => schema(given))
const parsed: Promise<number> = parse((given) => Number(given), '1')
// @ts-expect-error the schema makes numbers
const text: Promise<string> = parse((given) => Number(given), '1')

const isLarge = router('is-large', (n: number) => n > 1)
const large: boolean = isLarge(2)
// @ts-expect-error it takes a number
isLarge('2')

class Client { constructor(readonly key: string) {} }
function bound(this: Client, n: number): string { return this.key.repeat(n) }
const method = tool('method', bound)
same<typeof method, typeof bound>(true)
// @ts-expect-error it needs a client as this
method(2)

const optional = tool('optional', async (a: string, b?: number, ...rest: readonly boolean[]) => [a, b, ...rest] as const)
same<Parameters<typeof optional>, [a: string, b?: number, ...rest: readonly boolean[]]>(true)

function isText(given: unknown): given is string { return typeof given === 'string' }
const guard = tool('guard', isText)
const narrowed = (given: unknown): string => (guard(given) ? given : '')

async function* count(to: number): AsyncGenerator<number, string, boolean> { const go = yield to; return String(go) }
const counting = tool('count', count)
const numbers: AsyncGenerator<number, string, boolean> = counting(3)

tool('with options', async (path: string, n: number) => ({ path, n }), {
  meta: (input, output) => ({ path: input[0], n: output.n.toFixed() }),
  input: (path, n) => [path, n.toFixed()],
  revive: (kept: { path: string; n: number }) => ({ ...kept, n: kept.n }),
  volatile: ['input.0'],
})

const recorded = record('fixture', async (input: { q: string }) => input.q.length, { input: { q: 'x' } })
const length: Promise<number> = recorded.then(({ value }) => value())
const answer: Promise<string> = createRecorder({ journal: false }).run({}, async () => 'x')
const replayed: Promise<number> = replay('fixture', async () => 3).then(({ value }) => value())
export { answer, length, narrowed, numbers, large, parsed, replayed, text }
export type { Boundary }
`

const stage = new Stage('project')
beforeAll(() => {
  for (const name of ['types.ts', 'types.cts', 'types.mts']) stage.write(name, CODE)
})
afterAll(() => stage.remove())

function problems(options: ts.CompilerOptions, files: readonly string[]): string[] {
  const program = ts.createProgram(
    files.map((file) => join(stage.root, file)),
    {
      ...options,
      noEmit: true,
      strict: true,
      skipLibCheck: false,
      target: ts.ScriptTarget.ES2022,
      types: ['node'],
      typeRoots: [join(stage.root, 'node_modules', '@types')],
    },
  )
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, start = 0, messageText }) =>
      [
        file?.fileName.replace(stage.root, ''),
        file && file.getLineAndCharacterOfPosition(start).line + 1,
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ].join(' '),
    )
}

describe('the types of wrapped functions', { timeout: 60_000 }, () => {
  it('are those of the functions, resolved as Node does', () => {
    const node16 = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }
    expect(problems(node16, ['types.ts', 'types.cts', 'types.mts'])).toEqual([])
  })

  it('are those of the functions, resolved as a bundler does', () => {
    const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
    expect(problems(bundler, ['types.ts'])).toEqual([])
  })
})
