import { mkdtempSync, realpathSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve, basename, dirname, sep } from 'node:path'
import { type BytePath, textOf, type TreeEntry } from '../tree/tree-entry.ts'
import type { ManifestEntry } from '../snapshot/manifest.ts'
import { isFolder } from '../tree/existing-files.ts'
import { listIgnored } from '../fingerprint/ignored-files.ts'
import { findRepository, runGit, type Place } from '../run-git.ts'
import { bringDependencies, type Dependencies, installed, copyBuilt } from './dependencies.ts'
import { type OverlayFile, writeFiles, type FileSource } from './write-files.ts'
import { chmod, readdir, rm } from 'node:fs/promises'
import { given } from '../../../base/index.ts'
import { SnapshotError } from '../snapshot/snapshot-error.ts'

export interface CleanCopyRequest {
  /** The work folder. */
  readonly folder: string
  /** The files that the copy gets: no leftover, no ignored file, no pipe and no socket. */
  readonly entries: readonly (TreeEntry | ManifestEntry)[]
  /** Where their content comes from. Default: from the work folder, checked against the digests. */
  readonly source?: FileSource
  /** Null: the file is left out. */
  readonly overlay: ReadonlyMap<BytePath, OverlayFile | null>
  readonly dependencies: Dependencies
  /** Which ignored files and folders come along all the same, as copies. Default: none. */
  readonly ignored?: (path: string) => boolean
  /** Checked out instead of the commit of the work folder. */
  readonly commit?: string
}

export interface CleanCopy {
  readonly folder: string
  /** Never rejects, and follows no link. */
  dispose(): Promise<void>
}

/**
 * The work tree again, in a temporary folder of its own; a git repository at the commit of the work folder's, where that is
 * one. A folder inside a larger repository gets the same place inside the copy. Symlinks stay as they are; those that name the work folder itself name the copy instead. Installed
 * dependencies that are linked keep their own real place: a package that is installed in editable mode (Python) still
 * points to the work folder.
 * @throws {SnapshotError} where a file cannot be read or changes meanwhile
 * @throws {DOMException} `AbortError` after an abort
 */
export async function cleanCopy(request: CleanCopyRequest, signal: AbortSignal): Promise<CleanCopy> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'copy-'))
  try {
    const original = realpathSync(resolve(request.folder))
    const place = findRepository(original)
    const folder = place === undefined ? root : join(root, relative(place.root, original))
    await writeFiles({ ...request, original, folder, signal })
    await bringDependencies(
      { original, folder, root, dependencies: request.dependencies, signal },
      request.entries,
    )
    if (request.ignored !== undefined) await bringIgnored(original, folder, request.ignored, signal)
    if (place !== undefined) await makeRepository(place, root, request.commit ?? 'HEAD', signal)
    signal.throwIfAborted()
    return { folder, dispose: () => removeCopy(root) }
  } catch (error) {
    await removeCopy(root)
    throw error
  }
}

/**
 * Copies what git ignores and is not installed: settings of this machine, data, what was built. Nothing without git.
 * @param isWanted asked of files and folders, and of what is in them; relative to the work folder
 */
async function bringIgnored(
  original: string,
  folder: string,
  isWanted: (path: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (const entry of (await listIgnored(original, signal)) ?? []) {
    const path = textOf(entry.replace(/\/$/, ''))
    if (installed.includes(basename(path)) || !isWanted(path)) continue
    const [from, to] = [join(original, path), join(folder, path)]
    if (!isFolder(dirname(to)) || lstatSync(from, { throwIfNoEntry: false })?.isSymbolicLink() !== false)
      continue
    const real = realpathSync(from)
    await copyBuilt(real, to, (inner) => isWanted(join(path, relative(real, inner))), signal)
  }
}

/** Links are removed, never followed. Folders that a check closed are opened for it. Never rejects: a rest stays. */
async function removeCopy(folder: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 }
  await rm(folder, options)
    .catch(() => openFolders(folder).then(() => rm(folder, options)))
    .catch(() => undefined)
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined)
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(folder, entry.name))
}

/** Nothing of this user's or of the machine's settings: the same copy everywhere. */
const bareSettings = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

/**
 * A repository in the copy with the commits, branches and tags of the original, at its commit, its index as that commit
 * is. It borrows the original's objects, and gets none of its settings and hooks. A repository without commits stays
 * without.
 * @throws {SnapshotError} where git refuses
 */
async function makeRepository(
  place: Place,
  root: string,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  const from = (...words: readonly string[]) => runGit(place, words, signal, { environment: bareSettings })
  const dotGit = join(root, '.git')
  const copy: Place = { folder: root, root }
  const within = async (words: readonly string[], stdin?: string | Buffer): Promise<Buffer> => {
    const environment = { ...bareSettings, GIT_DIR: dotGit }
    const { exitCode, stdout } = await runGit(copy, words, signal, { environment, ...given({ stdin }) })
    if (exitCode !== 0) throw new SnapshotError(`git ${words[0] ?? ''} failed in the copy of the work tree`)
    return stdout
  }
  await within(['init', '--quiet', '--template='])
  const [objects, head, branch, references] = await Promise.all([
    from('rev-parse', '--path-format=absolute', '--git-path', 'objects'),
    from('rev-parse', '--verify', '--quiet', `${commit}^{commit}`),
    from('symbolic-ref', '--quiet', 'HEAD'),
    from('for-each-ref', '--format=%(objectname) %(refname)'),
  ])
  if (head.exitCode !== 0) return
  mkdirSync(join(dotGit, 'objects/info'), { recursive: true })
  writeFileSync(join(dotGit, 'objects/info/alternates'), objects.stdout)
  const sorted = references.stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
  writeFileSync(join(dotGit, 'packed-refs'), `# pack-refs with:\n${sorted.join('\n')}\n`)
  const isOnBranch = commit === 'HEAD' && branch.exitCode === 0
  writeFileSync(join(dotGit, 'HEAD'), isOnBranch ? `ref: ${branch.stdout.toString()}` : head.stdout)
  await within(['read-tree', head.stdout.toString().trim()])
  await leaveOutside(within, relative(place.root, place.folder))
}

type Within = (words: readonly string[], stdin?: string | Buffer) => Promise<Buffer>

/** Of a folder inside a repository only that folder is copied: the rest must not look deleted. */
async function leaveOutside(within: Within, prefix: string): Promise<void> {
  if (prefix === '') return
  const start = `${prefix.split(sep).join('/')}/`
  const listed = (await within(['ls-files', '-z'])).toString('latin1').split('\0').filter(Boolean)
  const outside = listed.filter((path) => !path.startsWith(Buffer.from(start).toString('latin1')))
  await within(
    ['update-index', '-z', '--skip-worktree', '--stdin'],
    Buffer.from(outside.map((path) => `${path}\0`).join(''), 'latin1'),
  )
}
