import type { Durability } from '@reprise/recorder'
import fc from 'fast-check'
import { table } from '../table.js'
import { killOnce } from './kill.js'
import type { Remains } from './look-after.js'

export interface Kill extends Remains {
  readonly durability: Durability
}

const DURABILITIES: readonly Durability[] = ['crossing', 'turn', 'fsync']

/** Kills so many processes, two at a time, at moments drawn over the whole of their lives. */
export async function killMany(
  count: number,
  onProgress: (share: number) => void = () => undefined,
  seed = Date.now(),
): Promise<Kill[]> {
  const [shares] = fc.sample(
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: count, maxLength: count }),
    {
      seed,
      numRuns: 1,
    },
  ) as [number[]]
  const kills: Kill[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const durability = DURABILITIES[at % DURABILITIES.length] as Durability
      kills.push({ durability, ...(await killOnce(durability, shares[at] ?? 0)) })
      onProgress(kills.length / count)
    }
  }
  await Promise.all([lane(), lane()])
  return kills
}

/** What became of the kills, by durability and by what they fell into. */
export function killTable(kills: readonly Kill[]): string {
  const sum = (of: readonly Kill[], field: 'settled' | 'owed' | 'lost' | 'pending'): string =>
    String(of.reduce((all, kill) => all + kill[field], 0))
  const row = (name: string, of: readonly Kill[]): string[] => [
    ...[name, String(of.length), sum(of, 'settled'), sum(of, 'owed'), sum(of, 'lost'), sum(of, 'pending')],
    String(of.reduce((all, { wrong }) => all + wrong.length, 0)),
  ]
  const groups = [
    ...DURABILITIES.map((durability) => [durability, (kill: Kill) => kill.durability === durability] as const),
    ...(['a capture', 'a write', 'a tool', 'the agent'] as const).map(
      (moment) => [`inside ${moment}`, (kill: Kill) => kill.moment === moment] as const,
    ),
    ['all', () => true] as const,
  ]
  return table([
    ['killed', 'times', 'settled', 'owed', 'lost', 'pending', 'wrong'],
    ...groups.map(([name, isIn]) => row(name, kills.filter(isIn))),
  ])
}
