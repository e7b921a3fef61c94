// node once.js <reading> <folder>: reads it once, and says as JSON what that took
import { READINGS, type Reading } from './deeds.js'

const [, , reading, dir] = process.argv
const began = performance.now()
const read = await READINGS[reading as Reading](dir as string)
const ms = performance.now() - began
const { rss } = process.memoryUsage()

/** Of the second look-up in a row: the first one reads what all have in common. */
function lookUp(): number | undefined {
  if (typeof read !== 'object' || !('get' in read)) return undefined
  read.get('look@2')
  const from = performance.now()
  if (read.get('look@3') === undefined) throw new Error('it is not there')
  return (performance.now() - from) * 1_000
}
process.stdout.write(JSON.stringify({ ms, rssMiB: rss / 2 ** 20, lookUpMicros: lookUp() }))
