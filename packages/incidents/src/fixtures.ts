import { record } from '@reprise/recorder'
import { deskAgent } from './airline/agent.js'
import { hotelDesk } from './airline/own-run.js'
import { inputOf } from './airline/run.js'
import { scriptOf } from './airline/script.js'
import { incidents } from './all-incidents.js'

type Recording = (dir: string) => Promise<unknown>

/** How each committed fixture of this package is made, by its name. Recording into a folder again must change nothing. */
export const fixtures: ReadonlyMap<string, Recording> = new Map([
  ...incidents.map((incident): [string, Recording] => [
    incident.name,
    (dir) =>
      record(dir, incident.agent('ungated'), {
        title: incident.title,
        input: incident.task,
        rerun: rerun(incident.name),
        journal: false,
      }),
  ]),
  [
    hotelDesk.run,
    (dir) =>
      record(dir, deskAgent(scriptOf(hotelDesk)), {
        title: 'One night longer, and a dog',
        input: inputOf(hotelDesk),
        rerun: rerun(hotelDesk.run),
        journal: false,
      }),
  ],
])

function rerun(name: string): string {
  return `node packages/incidents/dist/record-fixtures.js ${name}`
}
