// node packages/incidents/dist/record-fixtures.js [name…]
// Records the committed fixtures of this package, or the named ones. What has not changed is left as it is.
import { fixtures } from './fixtures.js'
import { fixture } from './places.js'

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !fixtures.has(name))

if (unknown.length > 0) {
  console.error(`no such fixture: ${unknown.join(', ')}; there are ${[...fixtures.keys()].join(', ')}`)
  process.exitCode = 2
} else {
  for (const [name, record] of fixtures) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    await record(fixture(name))
    console.log(`recorded ${name}`)
  }
}
