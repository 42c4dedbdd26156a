import { randomUUID } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { assertKnownKeys, codeOf, given, messageOf, optionKeys } from '../../base/index.ts'
import type { ChangeSet, FileImage } from '../../analysis/patch/index.ts'
import {
  checkChanges,
  findLinkProblem,
  readFileState,
  type ReadyChanges,
  type ReadyFile,
} from './check-changes.ts'
import { diskOperations, type FileOperations } from './file-operations.ts'
import { resolveLinks } from './resolve-links.ts'

export type Committed =
  | { readonly kind: 'committed' }
  /** A file is not what the change starts from. Nothing was written. */
  | { readonly kind: 'conflict'; readonly path: string; readonly reason: string }
  | {
      readonly kind: 'failed'
      readonly problem: string
      /** False if some files may be changed and others not; the problem names them if they are known. */
      readonly rolledBack: boolean
    }

export interface CommitOptions {
  /** Default: those of the disk. */
  readonly operations?: FileOperations
}

const commitKeys = optionKeys<CommitOptions>()('operations')

/**
 * Changes many files, all or none. Every new content is staged in a temporary file beside its target, then each is renamed into
 * its place, then files are deleted. If a step fails, all files become what they were before. A process that is killed between
 * two renames leaves the tree in between: the tree that was kept before is the way back. Written files are replaced, never
 * written into, so hard links keep the old content. Changes of one folder by one process are made one after the other.
 */
export async function commitChanges(
  root: string,
  changes: ChangeSet,
  options: CommitOptions = {},
): Promise<Committed> {
  assertKnownKeys(options, commitKeys, 'commitChanges')
  const { operations = diskOperations } = options
  const resolved = await resolveLinks(resolve(root))
  if (resolved.kind === 'failed') return refuseCommit(`the folder cannot be entered: ${resolved.problem}`)
  return oneAtATime(resolved.path, async () => {
    const checked = await checkChanges(resolved.path, changes)
    if (checked.kind === 'failed') return refuseCommit(checked.problem)
    return checked.kind === 'conflict' ? checked : new Commit(checked.changes, operations).run()
  })
}

function refuseCommit(problem: string): Committed {
  return { kind: 'failed', problem, rolledBack: true }
}

const latestByFolder = new Map<string, Promise<unknown>>()

async function oneAtATime<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (latestByFolder.get(folder) ?? Promise.resolve()).then(work, work)
  latestByFolder.set(folder, turn)
  try {
    return await turn
  } finally {
    if (latestByFolder.get(folder) === turn) latestByFolder.delete(folder)
  }
}

/** Files that are staged at the same time are flushed to the disk together. Bounded, so that few are open at once. */
const maxStagedAtOnce = 16

class Commit {
  readonly #changes: ReadyChanges
  readonly #operations: FileOperations
  /** Part of the names of all temporary files. */
  readonly #id = randomUUID()
  /** Files that may no longer be what they were. */
  readonly #touched: ReadyFile[] = []

  constructor(changes: ReadyChanges, operations: FileOperations) {
    this.#changes = changes
    this.#operations = operations
  }

  async run(): Promise<Committed> {
    try {
      await this.#carryOut()
      return { kind: 'committed' }
    } catch (error) {
      return this.#takeBack(messageOf(error))
    }
  }

  async #carryOut(): Promise<void> {
    const { files, folders } = this.#changes
    for (const folder of folders) await this.#makeFolder(folder)
    const written = files.filter(({ after }) => after !== null)
    for (let start = 0; start < written.length; start += maxStagedAtOnce)
      await allSettled(
        written.slice(start, start + maxStagedAtOnce).map((file) => this.#stage(file, file.after)),
      )
    for (const file of files) {
      await this.#assertUntouched(file)
      this.#touched.push(file)
      if (file.after === null) await this.#operations.removeFile(this.#absolute(file.path))
      else await this.#place(file)
    }
    await this.#syncFolders()
  }

  async #takeBack(problem: string): Promise<Committed> {
    try {
      for (const file of this.#changes.files) await this.#removeStaged(file)
      const foreign: string[] = []
      for (const file of this.#touched.toReversed()) {
        const state = await readFileState(this.#changes.root, file)
        if (state.kind === 'foreign') foreign.push(file.path)
        if (state.kind === 'after') await this.#putBack(file)
      }
      for (const folder of this.#changes.folders.toReversed()) await this.#removeIfEmpty(folder)
      await this.#syncFolders()
      if (foreign.length === 0) return { kind: 'failed', problem, rolledBack: true }
      const reported = `${problem}; changed by another process meanwhile, and left alone: ${foreign.join(', ')}`
      return { kind: 'failed', problem: reported, rolledBack: false }
    } catch (error) {
      return { kind: 'failed', problem: `${problem}; taking it back: ${messageOf(error)}`, rolledBack: false }
    }
  }

  async #putBack(file: ReadyFile): Promise<void> {
    if (file.before === null) return this.#operations.removeFile(this.#absolute(file.path))
    await this.#stage(file, file.before)
    await this.#place(file)
  }

  async #stage(file: ReadyFile, image: FileImage | null): Promise<void> {
    if (image === null) return
    const path = this.#staged(file)
    await this.#assertInPlace(path)
    await this.#operations.writeNew(this.#absolute(path), { ...image, ...given({ owner: file.owner }) })
  }

  async #place(file: ReadyFile): Promise<void> {
    await this.#operations.rename(this.#absolute(this.#staged(file)), this.#absolute(file.path))
  }

  async #removeStaged(file: ReadyFile): Promise<void> {
    const path = this.#staged(file)
    if (await this.#isThere(path)) await this.#operations.removeFile(this.#absolute(path))
  }

  async #makeFolder(folder: string): Promise<void> {
    await this.#assertInPlace(folder)
    try {
      await this.#operations.makeFolder(this.#absolute(folder), 0o777)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }

  async #removeIfEmpty(folder: string): Promise<void> {
    if (!(await this.#isThere(folder))) return
    try {
      await this.#operations.removeFolder(this.#absolute(folder))
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error
    }
  }

  /** Flushes the names in every folder that still exists. */
  async #syncFolders(): Promise<void> {
    const { files, folders } = this.#changes
    const parents = new Set([...files.map(({ path }) => path), ...folders].map((path) => dirname(path)))
    await allSettled(
      [...parents].map((parent) =>
        this.#operations.syncFolder(this.#absolute(parent)).catch((error: unknown) => {
          if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error
        }),
      ),
    )
  }

  async #assertUntouched(file: ReadyFile): Promise<void> {
    const state = await readFileState(this.#changes.root, file)
    if (state.kind === 'before') return
    const reason = state.kind === 'foreign' ? state.reason : `${file.path} has changed`
    throw new Error(`${reason} meanwhile`)
  }

  async #assertInPlace(path: string): Promise<void> {
    const moved = await findLinkProblem(this.#changes.root, path)
    if (moved !== undefined) throw new Error(moved)
  }

  /** What lies behind a symlink was not written by this commit. */
  async #isThere(path: string): Promise<boolean> {
    const isOurs = (await findLinkProblem(this.#changes.root, path)) === undefined
    return isOurs && lstatSync(this.#absolute(path), { throwIfNoEntry: false }) !== undefined
  }

  #staged(file: ReadyFile): string {
    return join(dirname(file.path), `.donecheck-${this.#id}-${this.#changes.files.indexOf(file)}.tmp`)
  }

  #absolute(path: string): string {
    return join(this.#changes.root, path)
  }
}

/** Waits until nothing is active any more. @throws the first error, if there is one */
async function allSettled(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
