import { composeFiles, composeSchedule, composeTiming } from './compose.js'
import { BLOB_FOLDER, MANIFEST_FILE, SCHEDULE_FILE, TIMING_FILE } from './forms.js'
import { jsonLines, jsonText } from './json-text.js'
import type { Trajectory } from './trajectory.js'

/** Text files by their name in the folder. */
export type FileTexts = ReadonlyMap<string, string>

/** All files of a fixture. */
export function fixtureFiles(trajectory: Trajectory): Map<string, string> {
  const { forms, manifest, blobs } = composeFiles(trajectory)
  const files = new Map<string, string>()
  files.set(MANIFEST_FILE, manifestText(manifest))
  for (const [i, form] of forms.entries()) files.set(manifest.files[i]?.file as string, jsonText(form))
  files.set(SCHEDULE_FILE, scheduleText(composeSchedule(trajectory)))
  files.set(TIMING_FILE, timingText(composeTiming(trajectory)))
  for (const [digest, text] of blobs) files.set(`${BLOB_FOLDER}/${digest}`, text)
  return files
}

export const manifestText = (form: object): string =>
  jsonLines({ ...form }, ['boundaries', 'addresses', 'uncovered', 'outsideRun', 'children', 'files'])
export const scheduleText = (form: object): string => jsonLines({ ...form }, ['turns', 'timers', 'ambient'])
export const timingText = (form: object): string => jsonLines({ ...form }, ['crossings'])
