import { type ComposedFiles, composeFiles, composeSchedule, composeTiming } from './compose.js'
import { BLOB_FOLDER, MANIFEST_FILE, SCHEDULE_FILE, TIMING_FILE } from './forms.js'
import { jsonLines, jsonText } from './json-text.js'
import type { Trajectory } from './trajectory.js'

/** Text files by their name in the folder; a map is one. The same texts come each time they are gone through. */
export interface FileTexts extends Iterable<readonly [name: string, text: string]> {
  has(name: string): boolean
  keys(): Iterable<string>
}

/** All files of a fixture. Each text is made when its turn comes, and never held: together they may be gigabytes. */
export class FixtureTexts implements FileTexts {
  readonly #trajectory: Trajectory
  readonly #composed: ComposedFiles
  readonly #names: ReadonlySet<string>

  constructor(trajectory: Trajectory) {
    this.#trajectory = trajectory
    this.#composed = composeFiles(trajectory)
    const { manifest, blobs } = this.#composed
    this.#names = new Set([
      ...[MANIFEST_FILE, ...manifest.files.map(({ file }) => file), SCHEDULE_FILE, TIMING_FILE],
      ...[...blobs.keys()].map((digest) => `${BLOB_FOLDER}/${digest}`),
    ])
  }

  /** Characters of all files, about: enough to know whether there is much to do. */
  get size(): number {
    let size = ENVELOPE_CHARS * this.#composed.forms.length
    for (const { length } of this.#composed.blobs.values()) size += length
    return size
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  keys(): Iterable<string> {
    return this.#names
  }

  *[Symbol.iterator](): Generator<readonly [name: string, text: string]> {
    const { forms, manifest, blobs } = this.#composed
    yield [MANIFEST_FILE, manifestText(manifest)]
    for (const [i, form] of forms.entries()) yield [manifest.files[i]?.file as string, jsonText(form)]
    yield [SCHEDULE_FILE, scheduleText(composeSchedule(this.#trajectory))]
    yield [TIMING_FILE, timingText(composeTiming(this.#trajectory))]
    for (const [digest, text] of blobs) yield [`${BLOB_FOLDER}/${digest}`, text]
  }
}

/** An envelope's file has about so many. */
const ENVELOPE_CHARS = 1024

export const manifestText = (form: object): string =>
  jsonLines({ ...form }, ['boundaries', 'addresses', 'uncovered', 'outsideRun', 'children', 'files'])
export const scheduleText = (form: object): string => jsonLines({ ...form }, ['turns', 'timers', 'ambient'])
export const timingText = (form: object): string => jsonLines({ ...form }, ['crossings'])
