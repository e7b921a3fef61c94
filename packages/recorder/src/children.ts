import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { JOIN_VARIABLE, outsideFrames, type RedactionSpec, type Variable } from '@reprise/core'
import type { BoundaryHooks } from './boundary-hooks.js'
import { type Invitation, joinModule, RULES_FILE, writeInvitation } from './invitation.js'

/** What the crossings of a child of the glue are named after, in place of an address. */
export const GLUE = 'run'

const ofProcess = randomBytes(6).toString('hex')
let tokens = 0

/** A text that no other run has, of whichever process. */
export function nextToken(): string {
  tokens += 1
  return `${ofProcess}-${tokens}`
}

/** In the journal's folder, where the children of a run write. */
export const childrenFolder = (token: string): string => `children-${token}`

/**
 * Child processes and workers that one run starts: what they are told, and the folder in which they leave what they
 * recorded. No counter is shared with them, so the names of their crossings begin with the address of the crossing
 * that started them.
 */
export class Children {
  private folder: string | undefined
  private count = 0

  constructor(
    /** The folder of the run's journal; undefined for none. */
    private readonly journalDir: string | undefined,
    private readonly token: string,
    private readonly spec: RedactionSpec,
    /** What this process was told itself, when it is a child. */
    private readonly own: Invitation | undefined,
  ) {}

  /** What a child is told that is started in the crossing with this address. Throws where nothing can be written. */
  tell(address: string | undefined, hooks: BoundaryHooks): Variable {
    hooks.reportUnreachable(this.spec)
    this.folder ??= this.own?.dir ?? outsideFrames(() => this.makeFolder())
    this.count += 1
    const invitation: Invitation = {
      module: joinModule(),
      dir: this.folder,
      startedIn: address ?? this.own?.startedIn ?? GLUE,
      child: [...(this.own?.child ?? []), this.count],
    }
    return [JOIN_VARIABLE, writeInvitation(invitation)]
  }

  /** Where they write; undefined as long as none was started. */
  get dir(): string | undefined {
    return this.folder
  }

  private makeFolder(): string {
    const { journalDir } = this
    const folder =
      journalDir === undefined
        ? mkdtempSync(join(tmpdir(), 'reprise-children-'))
        : resolve(journalDir, childrenFolder(this.token))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, RULES_FILE), JSON.stringify(this.spec))
    return folder
  }

  /** What they wrote has been read: without a journal it lies in nobody's folder. */
  discardIfNowhere(): void {
    if (this.journalDir === undefined) this.discard()
  }

  /** Nobody will ask for what they wrote. */
  discard(): void {
    if (this.folder !== undefined && this.own === undefined) rmSync(this.folder, { recursive: true, force: true })
  }
}
