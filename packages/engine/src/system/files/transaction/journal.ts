/**
 * One folder for every transaction, called after its root and its owner. The name of the one file in it says how far the
 * transaction has come; it goes from one name to the next by a rename.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, jsonOf, messageOf, stateHome, type HomeEnvironment } from '../../../base/index.ts'
import { journalOf, readJournal, type ReadJournal } from './journal-text.ts'
import type { FileOperations } from './operations.ts'
import type { Transaction } from './transaction.ts'
import { Buffer } from 'node:buffer'
import { threadId } from 'node:worker_threads'
import { z } from 'zod'
import { isAlive, thisHolder } from '../../process/index.ts'

/**
 * `empty`: before the first, or after the last. `building`: not a file of the tree has been touched. `prepared`: it is being carried out. `undoing`: it is being taken
 * back, whatever state its files are in. `done`: it was carried out. `kept`: it is settled, and its images are kept for a person.
 */
export type JournalState = 'empty' | 'building' | 'prepared' | 'undoing' | 'done' | 'kept'

export interface Journal {
  readonly id: string
  /** Absolute. */
  readonly folder: string
  readonly state: JournalState
}

export interface JournalOnDisk extends Journal {
  readonly life: 'alive' | 'dead' | 'unknown'
}

const states: readonly JournalState[] = ['kept', 'done', 'undoing', 'prepared', 'building']

/** Of this thread: what is not in it was left behind by an earlier call of ours. */
const ours = new Set<string>()

/** Written as a whole before the first file is touched. @throws the system's error; then nothing is left of it */
export async function beginJournal(
  journalFolder: string,
  transaction: Transaction,
  operations: FileOperations,
): Promise<Journal> {
  const { id, root } = transaction
  mkdirSync(journalFolder, { recursive: true, mode: 0o700 })
  const journal: Journal = { id, folder: join(journalFolder, nameOf(root, id)), state: 'building' }
  ours.add(id)
  try {
    await operations.makeFolder(journal.folder, 0o700)
    await operations.writeNew(fileOf(journal), { bytes: journalOf(transaction), mode: 0o600 })
    const prepared = await markJournal(journal, 'prepared', operations)
    await Promise.all([operations.syncFolder(journal.folder), operations.syncFolder(journalFolder)])
    return prepared
  } catch (error) {
    await removeJournal(journal, operations).catch(() => undefined)
    throw error
  }
}

/** Not flushed: where the machine ends before the new name is on the disk, the files themselves still tell. */
export async function markJournal(
  journal: Journal,
  state: JournalState,
  operations: FileOperations,
): Promise<Journal> {
  const marked = { ...journal, state }
  await operations.rename(fileOf(journal), fileOf(marked))
  return marked
}

/** Whatever is in its folder goes with it. */
export async function removeJournal({ id, folder }: Journal, operations: FileOperations): Promise<void> {
  try {
    for (const name of readdirSync(folder)) await operations.removeFile(join(folder, name))
    await operations.removeFolder(folder)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  } finally {
    ours.delete(id)
  }
}

/** The call that owned it has ended, and it could not be settled: another may try. */
export function abandonJournal({ id }: Journal): void {
  ours.delete(id)
}

/** Those of a root; of one that was only begun nothing more than that is known. */
export function findJournals(journalFolder: string, root: string): readonly JournalOnDisk[] {
  const mark = `${markOf(root)}.`
  const names = namesIn(journalFolder)?.filter((name) => name.startsWith(mark)) ?? []
  return names.flatMap((name) => lookAt(journalFolder, name) ?? [])
}

/** Makes it ours, so that nobody else settles it at the same time. Undefined: somebody else was faster. */
export async function claimJournal(
  journalFolder: string,
  root: string,
  found: Journal,
  operations: FileOperations,
): Promise<Journal | undefined> {
  const claimed = { ...found, folder: join(journalFolder, nameOf(root, found.id)) }
  ours.add(found.id)
  try {
    if (claimed.folder !== found.folder) await operations.rename(found.folder, claimed.folder)
    return claimed
  } catch (error) {
    ours.delete(found.id)
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

export function openJournal(journal: Journal): ReadJournal {
  try {
    return readJournal(readFileSync(fileOf(journal)))
  } catch (error) {
    return { kind: 'unreadable', problem: messageOf(error) }
  }
}

/**
 * Where changes under way are noted when nobody says: `donecheck/changes` in the state home. One place for all folders, so
 * that whoever looks at a folder finds what was left of it. Nothing is created.
 */
export function defaultJournalFolder(place: HomeEnvironment): string {
  return join(stateHome(place), 'donecheck', 'changes')
}

function fileOf({ folder, state }: Journal): string {
  return join(folder, state)
}

function nameOf(root: string, id: string): string {
  return `${markOf(root)}.${thisOwner()}.${id}`
}

function markOf(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 16)
}

function lookAt(journalFolder: string, name: string): JournalOnDisk | undefined {
  const [, owner = '', id = ''] = name.split('.')
  const folder = join(journalFolder, name)
  const files = namesIn(folder)
  if (files === undefined) return undefined
  const state = states.find((one) => files.includes(one)) ?? 'empty'
  const isLeftByUs = owner === thisOwner() && !ours.has(id)
  return { id, folder, state, life: isLeftByUs ? 'dead' : lifeOf(owner) }
}

/** Undefined: it cannot be looked into, or is gone. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder)
  } catch {
    return undefined
  }
}

/** Host, process, its start, thread: short, since it has to fit into a name. */
const ownerSchema = z.tuple([z.string(), z.int(), z.string().nullable(), z.int()])

let known: string | undefined

/** The one that runs this: as long as it lives it is the same. Without dots and slashes. */
export function thisOwner(): string {
  return (known ??= lookedUp())
}

function lookedUp(): string {
  const { host, processId, processStart } = thisHolder('a change of files')
  const owner: z.infer<typeof ownerSchema> = [host, processId, processStart, threadId]
  return Buffer.from(JSON.stringify(owner)).toString('base64url')
}

/** `unknown`: it ran on another machine, in another container, or it cannot be read. */
export function lifeOf(owner: string): 'alive' | 'dead' | 'unknown' {
  const parsed = ownerSchema.safeParse(jsonOf(Buffer.from(owner, 'base64url').toString()))
  if (!parsed.success) return 'unknown'
  const [host, processId, processStart] = parsed.data
  return isAlive({ host, processId, processStart, purpose: '' })
}
