import type { ChangedFile, ChangeSet, FileImage, PatchFiles } from '../change-set.ts'
import type { PatchProblem } from './plan.ts'
import { relativePathOf } from './relative-path.ts'

/** A path as a patch names it, and what stands there after the parts of the patch so far. */
export type Spot =
  | {
      readonly kind: 'spot'
      readonly path: string
      readonly image: FileImage | null
      readonly isLink: boolean
    }
  | { readonly kind: 'problem'; readonly problem: PatchProblem }
  /** An earlier part of the patch has failed on this file: nothing more can be said of it. */
  | { readonly kind: 'spoiled' }

interface Entry {
  readonly before: FileImage | null
  after: FileImage | null
  movedFrom?: string
  isSpoiled?: true
}

/** The files as they would be after the parts of a patch so far. Each is looked at once. */
export class Overlay {
  readonly #files: PatchFiles
  readonly #entries = new Map<string, Entry>()
  readonly #resolved = new Map<string, string>()

  constructor(files: PatchFiles) {
    this.#files = files
  }

  /** @param patchLine for its problems */
  async at(written: string, patchLine: number | undefined): Promise<Spot> {
    const where = { path: written, ...(patchLine === undefined ? {} : { patchLine }) }
    const relative = relativePathOf(written)
    if (relative.kind === 'bad') return problem({ kind: 'bad-path', message: relative.reason, ...where })
    const known = this.#resolved.get(relative.path)
    const path = known ?? (await this.#look(relative.path))
    if (typeof path !== 'string') return problem({ kind: 'refused-file', message: path.reason, ...where })
    const entry = this.#entries.get(path)
    if (entry?.isSpoiled === true) return { kind: 'spoiled' }
    return { kind: 'spot', path, image: entry?.after ?? null, isLink: path !== relative.path }
  }

  /** @param movedFrom itself: it has not been moved */
  set(path: string, after: FileImage | null, movedFrom?: string): void {
    const entry = this.#entries.get(path)
    if (entry === undefined) return
    entry.after = after
    if (movedFrom === undefined || movedFrom === path) delete entry.movedFrom
    else entry.movedFrom = movedFrom
  }

  /** A file that was changed and is moved on keeps the name that it began with. */
  originOf(path: string): string {
    return this.#entries.get(path)?.movedFrom ?? path
  }

  spoil(path: string): void {
    const entry = this.#entries.get(path)
    if (entry !== undefined) entry.isSpoiled = true
  }

  /** Without the files that end as they began. In the order in which they were first named. */
  changes(): ChangeSet {
    const changed: ChangedFile[] = []
    for (const [path, { before, after, movedFrom }] of this.#entries) {
      if (sameImage(before, after)) continue
      const origin = movedFrom === undefined ? undefined : this.#entries.get(movedFrom)
      const isMoved =
        origin !== undefined && origin.before !== null && origin.after === null && after !== null
      changed.push({ path, before, after, ...(isMoved && movedFrom !== undefined ? { movedFrom } : {}) })
    }
    return changed
  }

  /** Files that would have to be folders too. */
  clashes(): readonly PatchProblem[] {
    const problems: PatchProblem[] = []
    for (const [path, { after }] of this.#entries) {
      if (after === null) continue
      const parts = path.split('/')
      for (let depth = 1; depth < parts.length; depth += 1) {
        const folder = parts.slice(0, depth).join('/')
        if ((this.#entries.get(folder)?.after ?? null) === null) continue
        const message = `${path}: ${folder} would be a file, so nothing can be in it`
        problems.push({ kind: 'contradiction', message, path })
      }
    }
    return problems
  }

  async #look(path: string): Promise<string | { readonly reason: string }> {
    const look = await this.#files.look(path)
    if (look.kind === 'refused') return look
    const resolved = relativePathOf(look.path)
    if (resolved.kind === 'bad' || resolved.path !== look.path)
      return { reason: `${path} leads to ${JSON.stringify(look.path)}, which is no path below the root` }
    this.#resolved.set(path, look.path)
    const before = look.kind === 'file' ? look.image : null
    if (!this.#entries.has(look.path)) this.#entries.set(look.path, { before, after: before })
    return look.path
  }
}

function sameImage(one: FileImage | null, other: FileImage | null): boolean {
  if (one === null || other === null) return one === other
  return one.mode === other.mode && sameBytes(one.bytes, other.bytes)
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one === other || (one.length === other.length && one.every((byte, index) => byte === other[index]))
}

function problem(found: PatchProblem): Spot {
  return { kind: 'problem', problem: found }
}
