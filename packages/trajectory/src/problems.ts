import { cleanThrown, isRepriseError, RepriseError } from '@reprise/core'

/** Where in a fixture something was found. */
export interface Where {
  /** The fixture's folder as it was given. */
  readonly dir: string
  /** Name inside the folder. */
  readonly file: string
  readonly address?: string | undefined
  /** The address that a broken reference names. */
  readonly missing?: string | undefined
  readonly line?: number
  readonly column?: number
}

export const RERECORD =
  'restore the file from version control (`git checkout -- <fixture>`), or record the fixture again'

const details = (where: Where): Record<string, unknown> =>
  Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined))

const named = (where: Where): string =>
  `${where.dir}/${where.file}${where.line === undefined ? '' : `:${where.line}:${where.column ?? 1}`}`

/** A file that is not what it should be. */
export const corrupt = (where: Where, what: string, next = RERECORD): RepriseError =>
  new RepriseError('FIXTURE_CORRUPT', { message: `${named(where)} ${what}`, details: details(where), next })

/** A file that is fine in itself and not the one that was recorded. */
export const tampered = (where: Where, what: string): RepriseError =>
  new RepriseError('ENVELOPE_TAMPERED', {
    message: `${named(where)}${where.address === undefined ? '' : ` (${where.address})`} ${what}`,
    details: details(where),
    next: `if the edit was intended: sealTrajectory(${quote(where.dir)}) of @reprise/trajectory; else restore the file from version control`,
  })

export const tooNew = (where: Where, format: number): RepriseError =>
  new RepriseError('FORMAT_TOO_NEW', {
    message: `${named(where)} has format ${format}; this version reads formats up to 1`,
    details: { ...details(where), format, newest: 1 },
    next: 'update the @reprise packages, or record the fixture again with this version',
  })

export const exportFailed = (dir: string, what: string, next: string, cause?: unknown): RepriseError => {
  const code = systemCode(cause)
  return new RepriseError('EXPORT_FAILED', {
    message: `${dir} ${what}${code === undefined ? '' : ` (${code})`}`,
    details: { dir, ...(code === undefined ? {} : { systemCode: code }) },
    next,
    ...(cause === undefined ? {} : { cause: cleanThrown(cause) }),
  })
}

/** `ENOSPC` and the like, when the operating system said so. */
export function systemCode(error: unknown): string | undefined {
  const foreign = typeof error === 'object' && error !== null && !isRepriseError(error)
  const code = foreign ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : undefined
}

export const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`

/** What to do about an error of the file system. */
export function systemNextStep(error: unknown): string {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'make room on the disk and export again'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'export to a folder that may be written'
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a file stands where a folder is needed: move it away, or export to another path'
    case 'ENAMETOOLONG':
      return 'export to a shorter path'
    default:
      return 'see that the path can be written and that no other program holds files in it'
  }
}
