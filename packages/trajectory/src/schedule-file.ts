import type { Schedule } from '@reprise/core'
import { scheduleProblem } from './consistency.js'
import { digestOf } from './digest.js'
import type { Folder } from './folder.js'
import { parseForm } from './form-file.js'
import { type ManifestForm, SCHEDULE_FILE, type ScheduleForm } from './forms.js'
import { corrupt, tampered } from './problems.js'
import { BadMark, parseTurns } from './schedule-text.js'
import { scheduleSchema } from './schemas.js'

/** Reads `schedule.json`. Throws what is wrong with it. */
export function readSchedule(folder: Folder, manifest: ManifestForm, seals: 'verify' | 'ignore'): Schedule {
  const where = folder.where(SCHEDULE_FILE)
  const form = parseForm<ScheduleForm>(folder, where, scheduleSchema)
  if (seals === 'verify' && digestOf(form) !== form.digest) {
    throw tampered(where, 'was changed after it was written: its digest does not fit')
  }
  try {
    const { timers, ambient } = form as unknown as Schedule
    const schedule: Schedule = { turns: parseTurns(form.turns), timers, ambient }
    const wrong = scheduleProblem(schedule, new Set(manifest.addresses), manifest.complete)
    if (wrong !== undefined) throw corrupt(where, wrong)
    return schedule
  } catch (error) {
    if (error instanceof BadMark) throw corrupt(where, `does not fit the format: ${error.message}`)
    throw error
  }
}
