import { breathe } from './breathe.js'
import { FixtureTexts } from './file-texts.js'
import type { Folder } from './folder.js'
import { SCHEDULE_FILE, TIMING_FILE } from './forms.js'
import { LIMITS } from './limits.js'
import { locate } from './location.js'
import { readManifest } from './manifest-file.js'
import { type OldFolder, oldFolder } from './old-folder.js'
import { putFolder } from './put-folder.js'
import { readSchedule } from './schedule-file.js'
import { readTiming } from './timing-file.js'
import type { Trajectory } from './trajectory.js'

export interface ExportOptions {
  /**
   * `'keep'` (the default) leaves `schedule.json` and `timing.json` alone when nothing else differs: two equal runs
   * never have the same times. `'replace'` writes them then too, for an order of events that no longer replays.
   */
  readonly schedule?: 'keep' | 'replace'
}

export interface ExportResult {
  /** The folder, as it was given. */
  readonly dir: string
  /** Files whose content is new, by their names in the folder. */
  readonly written: readonly string[]
  /** True when the folder already held just this, and nothing was touched. */
  readonly unchanged: boolean
}

/**
 * Writes a trajectory to a folder, given as text from the working directory or as a file URL. The folder appears at
 * once and whole, or not at all; files in it that are not the fixture's stay. Equal content writes nothing.
 * Throws `EXPORT_FAILED` with the system's code, and `SECRET_IN_FIXTURE` when the last look at the bytes finds one.
 */
export async function exportTrajectory(
  trajectory: Trajectory,
  dir: string | URL,
  options: ExportOptions = {},
): Promise<ExportResult> {
  const location = locate(dir)
  const files = new FixtureTexts(trajectory)
  await breathe(files.size)
  const old = oldFolder(location)
  const written = old === undefined ? [...files.keys()] : changedIn(old, files)
  const kept = new Set(options.schedule === 'replace' || old === undefined ? [] : [SCHEDULE_FILE, TIMING_FILE])
  if (
    old !== undefined &&
    written.every((name) => kept.has(name)) &&
    (written.length === 0 || stillReads(old.folder))
  ) {
    return { dir: location.said, written: [], unchanged: true }
  }
  await putFolder(location, files)
  await breathe(files.size)
  return { dir: location.said, written, unchanged: false }
}

/** The names of files that the folder has not, or has otherwise. */
function changedIn(old: OldFolder, files: FixtureTexts): string[] {
  const changed: string[] = []
  for (const [name, text] of files) if (!isEqual(old, name, text)) changed.push(name)
  return changed
}

/** Whether the folder holds this text, line ends of a checkout and a byte order mark apart. */
function isEqual({ folder }: OldFolder, name: string, text: string): boolean {
  if (folder.entries.get(name)?.isFile() !== true) return false
  try {
    const old = folder.text(folder.where(name), LIMITS.fileBytes, 'keep')
    return old === text || old.replace(/^\ufeff/, '').replaceAll('\r\n', '\n') === text
  } catch {
    return false
  }
}

/** Whether the old schedule and times can be kept. */
function stillReads(folder: Folder): boolean {
  try {
    readTiming(folder, 'verify')
    readSchedule(folder, readManifest(folder), 'verify')
    return true
  } catch {
    return false
  }
}
