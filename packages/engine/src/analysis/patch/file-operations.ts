/** Applies the parts of a patch of any format to whole files on an overlay. Nothing is written. */
import { canHold, decodeTextFile, encodeTextFile, relativePathOf } from './file-text.ts'
import {
  type ChangedFile,
  type ChangeSet,
  type FileImage,
  type PatchFiles,
  type PatchProblem,
  type PatchProblemKind,
  type Plan,
  refusePlan,
} from './plan.ts'

export interface Planning {
  readonly overlay: Overlay
  readonly problems: PatchProblem[]
  readonly notes: string[]
}

type MatchSpot = Extract<Spot, { kind: 'spot' }>

const plainMode = 0o644

interface Operation {
  readonly path: string
  /** Line in the patch, from 1; absent if the format has no lines. */
  readonly line?: number
}

interface Addition extends Operation {
  readonly bytes: Uint8Array
  readonly mode?: number
}

export type EditedText =
  | {
      readonly kind: 'changed'
      readonly text: string
      readonly added: string
      readonly notes?: readonly string[]
    }
  | { readonly kind: 'failed'; readonly problems: readonly PatchProblem[] }

/** @param path where the file really is, for messages */
type TextEdit = (text: string, path: string) => EditedText

interface Update extends Operation {
  readonly moveTo?: string
  /** Absent if only moved or given another mode. */
  readonly edit?: TextEdit
  readonly mode?: (mode: number) => number
}

export function planOf({ overlay, problems, notes }: Planning): Plan {
  const all = [...problems, ...(problems.length === 0 ? overlay.clashes() : [])]
  return all.length > 0 ? refusePlan(...all) : { kind: 'planned', changes: overlay.changes(), notes }
}

export async function planAddition(planning: Planning, addition: Addition): Promise<void> {
  const spot = await findSpot(planning, addition)
  if (spot === undefined) return
  const { path, image } = spot
  const { bytes } = addition
  if (image === null) {
    planning.overlay.set(path, { bytes, mode: addition.mode ?? plainMode })
  } else if (sameBytes(image.bytes, bytes)) {
    planning.notes.push(`${path} is there already, with the same content`)
  } else {
    const message = `${path} is there already, with another content: update it, or delete it first`
    report(planning, addition, 'existing-file', message)
    planning.overlay.spoil(path)
  }
}

/** Plans the deletion of a file. The edit, if given, must remove all of its lines. */
export async function planDeletion(
  planning: Planning,
  deletion: Omit<Update, 'moveTo' | 'mode'>,
): Promise<void> {
  const spot = await findExistingSpot(planning, deletion, 'deleted')
  if (spot === undefined || isRefusedLink(planning, deletion, spot, 'deleted')) return
  const rest = deletion.edit === undefined ? nothing : changedImage(planning, deletion, spot)?.bytes
  if (rest?.length === 0) planning.overlay.set(spot.path, null)
  else planning.overlay.spoil(spot.path)
  if (rest === undefined || rest.length === 0) return
  const message = `${spot.path} is not deleted: it holds more than the lines that the diff takes away`
  report(planning, deletion, 'not-found', message)
}

const nothing = new Uint8Array()

export async function planUpdate(planning: Planning, update: Update): Promise<void> {
  const spot = await findExistingSpot(planning, update, 'updated')
  if (spot === undefined) return
  const target = update.moveTo === undefined ? spot : await findTarget(planning, update, spot, update.moveTo)
  const image = changedImage(planning, update, spot)
  const { overlay } = planning
  if (image === undefined || target === undefined) {
    overlay.spoil(spot.path)
    return
  }
  const origin = overlay.originOf(spot.path)
  if (target.path !== spot.path) overlay.set(spot.path, null)
  overlay.set(target.path, image, origin)
}

/** Keeps encoding, byte order mark and mode. */
function changedImage(planning: Planning, update: Update, spot: MatchSpot): FileImage | undefined {
  const { image, path } = spot
  if (image === null) return undefined
  const mode = update.mode?.(image.mode) ?? image.mode
  if (update.edit === undefined) return { bytes: image.bytes, mode }
  const decoded = decodeTextFile(image.bytes)
  if (decoded.kind === 'not-text') {
    report(planning, update, 'not-text', `${path} ${decoded.problem}, so it cannot be changed as a text`)
    return undefined
  }
  const edited = update.edit(decoded.text, path)
  if (edited.kind === 'failed') {
    planning.problems.push(...edited.problems)
    return undefined
  }
  if (!canHold(decoded.format, edited.added)) {
    report(planning, update, 'not-text', `${path} is not UTF-8, so only ASCII can be put into it`)
    return undefined
  }
  planning.notes.push(...(edited.notes ?? []))
  const bytes = edited.text === decoded.text ? image.bytes : encodeTextFile(edited.text, decoded.format)
  return { bytes, mode }
}

async function findTarget(
  planning: Planning,
  update: Update,
  source: MatchSpot,
  moveTo: string,
): Promise<MatchSpot | undefined> {
  const target = await findSpot(planning, { ...update, path: moveTo })
  if (target === undefined) return undefined
  if (target.path === source.path) {
    planning.notes.push(`${source.path} is moved onto itself, so it stays where it is`)
    return target
  }
  if (isRefusedLink(planning, update, source, 'moved')) return undefined
  if (target.image === null) return target
  const message = `${source.path} cannot be moved to ${target.path}, which is there already: delete it first`
  report(planning, { ...update, path: moveTo }, 'existing-file', message)
  return undefined
}

/** Refuses symlinks: the link would stay and its target would be gone. */
function isRefusedLink(planning: Planning, operation: Operation, spot: MatchSpot, verb: string): boolean {
  if (!spot.isLink) return false
  const message = `${operation.path} is not ${verb}: it leads over a symbolic link to ${spot.path}; name that one if it is meant`
  report(planning, operation, 'refused-file', message)
  planning.overlay.spoil(spot.path)
  return true
}

async function findExistingSpot(
  planning: Planning,
  operation: Operation,
  verb: string,
): Promise<MatchSpot | undefined> {
  const spot = await findSpot(planning, operation)
  if (spot?.image !== null) return spot
  const message = `${spot.path} cannot be ${verb}: there is no such file`
  report(planning, operation, 'missing-file', message)
  planning.overlay.spoil(spot.path)
  return undefined
}

async function findSpot(planning: Planning, { path, line }: Operation): Promise<MatchSpot | undefined> {
  const spot = await planning.overlay.at(path, line)
  if (spot.kind === 'problem') planning.problems.push(spot.problem)
  return spot.kind === 'spot' ? spot : undefined
}

function report(
  planning: Planning,
  { path, line }: Operation,
  kind: PatchProblemKind,
  message: string,
): void {
  planning.problems.push({ kind, message, path, ...(line === undefined ? {} : { patchLine: line }) })
}

type Spot =
  | {
      readonly kind: 'spot'
      readonly path: string
      readonly image: FileImage | null
      readonly isLink: boolean
    }
  | { readonly kind: 'problem'; readonly problem: PatchProblem }
  /** An earlier part of the patch failed on this file. */
  | { readonly kind: 'spoiled' }

interface Entry {
  readonly before: FileImage | null
  after: FileImage | null
  movedFrom?: string
  isSpoiled?: true
}

export class Overlay {
  readonly #files: PatchFiles
  readonly #entries = new Map<string, Entry>()
  readonly #resolved = new Map<string, string>()

  constructor(files: PatchFiles) {
    this.#files = files
  }

  /** @param patchLine line in the patch for problems */
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

  set(path: string, after: FileImage | null, movedFrom?: string): void {
    const entry = this.#entries.get(path)
    if (entry === undefined) return
    entry.after = after
    if (movedFrom === undefined || movedFrom === path) delete entry.movedFrom
    else entry.movedFrom = movedFrom
  }

  /** Returns the path at the start of the patch, through any moves. */
  originOf(path: string): string {
    return this.#entries.get(path)?.movedFrom ?? path
  }

  spoil(path: string): void {
    const entry = this.#entries.get(path)
    if (entry !== undefined) entry.isSpoiled = true
  }

  /** Returns the changed files in the order in which the patch first names them. */
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

  /** Finds paths that would be both a file and a folder. */
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
