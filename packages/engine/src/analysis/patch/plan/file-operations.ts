/** What parts of patches of any format do to whole files, on an overlay. Each reports what is wrong; nothing is changed then. */
import type { FileImage } from '../change-set.ts'
import { canHold, decodeTextFile, encodeTextFile } from '../text-file.ts'
import { sameBytes, type Overlay, type Spot } from './overlay.ts'
import { refusePlan, type PatchProblem, type PatchProblemKind, type Plan } from './plan.ts'

/** One planning: what it has come to so far. */
export interface Planning {
  readonly overlay: Overlay
  readonly problems: PatchProblem[]
  readonly notes: string[]
}

type MatchSpot = Extract<Spot, { kind: 'spot' }>

const plainMode = 0o644

export interface Operation {
  /** As written. */
  readonly path: string
  /** In the patch; absent if the format has no lines. */
  readonly line?: number
}

export interface Addition extends Operation {
  readonly bytes: Uint8Array
  readonly mode?: number
}

export type EditedText =
  | {
      readonly kind: 'changed'
      readonly text: string
      /** What was put in. */
      readonly added: string
      readonly notes?: readonly string[]
    }
  | { readonly kind: 'failed'; readonly problems: readonly PatchProblem[] }

/** @param path where the file really is, for messages */
export type TextEdit = (text: string, path: string) => EditedText

export interface Update extends Operation {
  readonly moveTo?: string
  /** Absent: only moved, or given another mode. */
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

/** With an edit, that one must leave nothing of the file. */
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

/** Encoding, byte order mark and mode of the file stay. */
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

/** The link would stay, and what it leads to would be gone. */
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
