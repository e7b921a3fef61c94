import { type ErrorCode, fingerprint, isRepriseError, printable, type RepriseError } from '@reprise/core'
import type { Folder } from './folder.js'
import { BLOB_FOLDER, MANIFEST_FILE, SCHEDULE_FILE, TIMING_FILE } from './forms.js'
import { LIMITS } from './limits.js'
import { locate } from './location.js'
import { straysOf } from './old-folder.js'
import { corrupt } from './problems.js'
import { type FixtureFiles, readFixture } from './read.js'
import { findSecrets, secretInFixture } from './secret-gate.js'

/** Codes of errors, and one for a file that the manifest does not list. */
export type CheckCode = ErrorCode | 'STRAY_FILE'

/** One thing that is wrong with a fixture. */
export interface Problem {
  readonly code: CheckCode
  /** Name inside the folder. */
  readonly file?: string
  readonly address?: string
  readonly message: string
  readonly next: string
}

export interface CheckResult {
  /** Whether there is no problem. */
  readonly ok: boolean
  readonly problems: readonly Problem[]
}

/**
 * Checks a fixture whole: all that loading checks, and also fingerprints, secrets and files that nothing refers to.
 * Collects what it finds and throws only `BAD_OPTION`, for what names no folder.
 */
export async function checkTrajectory(dir: string | URL): Promise<CheckResult> {
  const location = locate(dir)
  const problems: Problem[] = []
  const report = (error: RepriseError): void => {
    const problem = problemOf(error)
    if (!problems.some(({ message }) => message === problem.message)) problems.push(problem)
  }
  try {
    const files = readFixture(location, { seals: 'verify', report })
    for (const error of fingerprintProblems(files)) report(error)
    for (const secret of await findSecrets(textsOf(files))) report(secretInFixture(location.said, secret))
    problems.push(...strayProblems(files, problems.length === 0))
  } catch (error) {
    if (!isRepriseError(error)) throw error
    report(error)
  }
  return { ok: problems.length === 0, problems }
}

function problemOf({ code, details, message, next }: RepriseError): Problem {
  const { file, address } = details
  return {
    code,
    ...(typeof file === 'string' ? { file: printable(file) } : {}),
    ...(typeof address === 'string' ? { address: printable(address) } : {}),
    // The message of an error also says its code and its next step.
    message: message.slice(`${code}: `.length).replace(`\n  next: ${next}`, ''),
    next,
  }
}

function* fingerprintProblems({ folder, envelopes }: FixtureFiles): Generator<RepriseError> {
  for (const { entry, form, content } of envelopes) {
    if (fingerprint(form.name, content.input) !== form.fingerprint) {
      yield corrupt(folder.where(entry.file, entry.address), 'has a fingerprint that is not that of its input')
    }
  }
}

/** The texts of all files that could be read, one after the other, for the scanner. */
function* textsOf({ folder, blobs, envelopes }: FixtureFiles): Generator<readonly [name: string, text: string]> {
  for (const file of [MANIFEST_FILE, ...envelopes.map(({ entry }) => entry.file), SCHEDULE_FILE, TIMING_FILE]) {
    const text = textOf(folder, file)
    if (text !== undefined) yield [file, text]
  }
  for (const [digest, text] of blobs) yield [`${BLOB_FOLDER}/${digest}`, text]
}

function textOf(folder: Folder, file: string): string | undefined {
  try {
    return folder.text(folder.where(file), LIMITS.fileBytes)
  } catch {
    // Reported where it was read.
    return undefined
  }
}

/** Files that are not the fixture's; names with a dot in front are left alone. */
function strayProblems({ folder, manifest, blobs }: FixtureFiles, blobsKnown: boolean): Problem[] {
  const own = new Set([MANIFEST_FILE, SCHEDULE_FILE, TIMING_FILE, ...manifest.files.map(({ file }) => file)])
  for (const name of folder.entries.keys()) {
    const blob = name.startsWith(`${BLOB_FOLDER}/`) ? name.slice(BLOB_FOLDER.length + 1) : undefined
    // With files unread, nobody knows which blobs they refer to.
    if (blob !== undefined && (blobs.has(blob) || !blobsKnown)) own.add(name)
  }
  return straysOf([...folder.entries.keys()], own)
    .filter((name) => !/(?:^|\/)\.[^/]*$/.test(name) && name !== 'Thumbs.db')
    .map(printable)
    .map((file) => ({
      code: 'STRAY_FILE',
      file,
      message: `${printable(folder.location.said)}/${file} is not part of the fixture: nothing refers to it`,
      next: 'move it out of the folder, or delete it',
    }))
}
