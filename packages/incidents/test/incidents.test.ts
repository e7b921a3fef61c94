import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replay } from '@reprise/replayer'
import { loadTrajectory } from '@reprise/trajectory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { incidents } from '../src/all-incidents.js'
import { fixtures } from '../src/fixtures.js'
import { emptyWorld, type Incident, isAverted } from '../src/incident.js'
import { fixture } from '../src/places.js'
import type { Mode, ToolAnswer, Variant } from '../src/plot.js'
import { rewordings } from '../src/rewordings.js'

const MODES: readonly Mode[] = ['ungated', 'gated', 'benign']
const FULL_REPLAYS = 50

const reworded = (incident: Incident): Variant[] =>
  (rewordings[incident.name] ?? []).map((rewording) => ({ rewording }))

/** The breakpoint test of an incident: what a team would commit after its fix. */
async function breakpointTest(incident: Incident, variant: Variant) {
  const world = emptyWorld()
  const agent = incident.agent(variant, world)
  const result = await replay(fixture(incident.name), agent, { breakpoint: incident.breakpoint })
  const { outcome } = result.at(incident.breakpoint)
  const answer = outcome.type === 'returned' ? outcome.value : outcome
  return { passes: isAverted(answer, result.value()), world, result, answer: answer as ToolAnswer }
}

describe.each(incidents)('$name', (incident) => {
  const { name, breakpoint, toolName } = incident

  test('the fixture holds the run in which the harm was done', async () => {
    const trajectory = await loadTrajectory(fixture(name))
    expect(trajectory.envelopes.map((envelope) => envelope.address)).toEqual(['agent@1', breakpoint, 'agent@2'])
    expect(trajectory.manifest.input).toEqual(incident.task)

    const world = emptyWorld()
    const report = await incident.agent('ungated', world)(incident.task)
    expect(report.done).toBe(true)
    expect(world.deeds).toHaveLength(1)
    expect(trajectory.manifest.outcome).toEqual({ type: 'returned', value: report })
    expect(trajectory.get(breakpoint)?.outcome).toMatchObject({ value: incident.toolAnswer('ungated') })
  })

  test.each(MODES)('a full replay never reaches the %s tool and touches nothing', async (mode) => {
    const trajectory = await loadTrajectory(fixture(name))
    const world = emptyWorld()
    for (let time = 0; time < FULL_REPLAYS; time++) {
      const result = await replay(trajectory, incident.agent(mode, world))
      expect(result.liveCalls).toEqual([])
      expect(result.mismatches).toEqual([])
      expect(result.crossings().map(({ mode: answered }) => answered)).toEqual(['recorded', 'recorded', 'recorded'])
      expect(result.value()).toMatchObject({ done: true })
    }
    expect(world.deeds).toEqual([])
  })

  test('the breakpoint test fails without the guard, and the harm is done once', async () => {
    const { passes, world, result } = await breakpointTest(incident, 'ungated')
    expect(passes).toBe(false)
    expect(world.deeds).toHaveLength(1)
    expect(result.at('agent@1').mode).toBe('recorded')
    expect(result.at(breakpoint).mode).toBe('live')
  })

  test.each(['gated', 'benign'] as const)(
    'the breakpoint test passes with the %s tool, and nothing is done',
    async (mode) => {
      const { passes, world, result, answer } = await breakpointTest(incident, mode)
      expect(passes).toBe(true)
      expect(world.deeds).toEqual([])
      expect(answer).toEqual(incident.toolAnswer(mode))

      const [, second] = result.crossings('agent')
      expect(second?.mode).toBe('live')
      expect(JSON.stringify(second?.input)).toContain(answer.message)
      expect(result.crossings(toolName)).toHaveLength(1)
    },
  )

  test('the breakpoint test passes however the guard puts it', async () => {
    const variants = reworded(incident)
    expect(variants).toHaveLength(5)
    for (const variant of variants) {
      const { passes, world, answer } = await breakpointTest(incident, variant)
      expect({ variant, passes, deeds: world.deeds }).toEqual({ variant, passes: true, deeds: [] })
      expect(variant).toEqual({ rewording: answer.message })
    }
  })
})

test('every two ways of putting it differ in a third of their words or more', () => {
  const messages = incidents.flatMap((incident) =>
    (['gated', 'benign', ...reworded(incident)] as Variant[]).map((variant) => incident.toolAnswer(variant).message),
  )
  expect(messages).toHaveLength(6 * (2 + 5))

  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
  const tooNear = messages.flatMap((one) =>
    messages.filter((other) => {
      const mine = words(one)
      const theirs = words(other)
      const own = [...mine].filter((word) => !theirs.has(word)).length
      return other !== one && own / mine.size < 1 / 3
    }),
  )
  expect(new Set(messages).size).toBe(messages.length)
  expect(tooNear).toEqual([])
})

describe('recording the fixtures again', () => {
  let dir = ''
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'reprise-fixtures-'))
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  /** What a reviewer sees of a folder. The schedule and the times are the only files in which equal runs may differ. */
  async function contents(folder: string): Promise<Record<string, string>> {
    const files = (await readdir(folder)).filter((file) => file !== 'schedule.json' && file !== 'timing.json')
    return Object.fromEntries(
      await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')])),
    )
  }

  test.each([...fixtures.keys()])('%s comes out the same, byte for byte', async (name) => {
    await fixtures.get(name)?.(join(dir, name))
    expect(await contents(join(dir, name))).toEqual(await contents(fixture(name)))
  })
})
