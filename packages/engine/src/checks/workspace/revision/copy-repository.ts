/** The repository of a copy, so that checks which ask git see what they would see in the work folder. */
import { join, relative, sep } from 'node:path'
import { runGit, type Place } from '../run-git.ts'
import { SnapshotError } from '../snapshot/snapshot-error.ts'
import { bytePathOfText, type BytePath } from '../tree/tree-entry.ts'
import { isSparse, OwnRepository, readProjectRepository } from './own-repository.ts'

/**
 * A repository in the copy with the commits, branches and tags of the original, at its commit, its index as that commit
 * is. A repository without commits stays without; so does one that git does not read.
 * @throws {SnapshotError} if git refuses in the copy
 */
export async function makeRepository(place: Place, root: string, signal: AbortSignal): Promise<void> {
  const [project, head, branch, references] = await Promise.all([
    readProjectRepository(place, signal).catch(undefinedIfRefused),
    runGit(place, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], signal),
    runGit(place, ['symbolic-ref', '--quiet', 'HEAD'], signal),
    listReferences(place, signal),
  ])
  if (project === undefined) {
    const own = { folder: root, root, gitFolder: join(root, '.git') }
    await runGit(own, ['init', '--quiet', '--template='], signal)
    return
  }
  const repository = await OwnRepository.create(project, root, signal)
  if (head.exitCode !== 0) return
  const commit = head.stdout.toString().trim()
  repository.write('packed-refs', references)
  repository.write('HEAD', branch.exitCode === 0 ? `ref: ${branch.stdout.toString()}` : `${commit}\n`)
  await repository.ask(['read-tree', commit])
  await leaveOutside(repository, signal)
}

function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof SnapshotError)) throw error
}

/** Branches and tags, as the file `packed-refs` has them. */
export async function listReferences(place: Place, signal: AbortSignal): Promise<string> {
  const { stdout } = await runGit(place, ['for-each-ref', '--format=%(objectname) %(refname)'], signal)
  return `# pack-refs with:\n${stdout.toString()}`
}

/** What the copy has not and the work tree need not have must not look deleted: files outside of the folder, or of a sparse checkout. */
async function leaveOutside(repository: OwnRepository, signal: AbortSignal): Promise<void> {
  const { project } = repository
  const prefix = prefixOf(project.place)
  const sparse = isSparse(project) ? await listSkipped(project.place, signal) : new Set()
  if (prefix === '' && sparse.size === 0) return
  const paths = await repository.list(['ls-files', '-z'])
  await repository.skip(paths.filter((path) => !path.startsWith(prefix) || sparse.has(path)))
}

/** Files that the sparse checkout leaves out, relative to the root. */
async function listSkipped(place: Place, signal: AbortSignal): Promise<ReadonlySet<BytePath>> {
  const { stdout } = await runGit(place, ['ls-files', '-z', '-t', '--full-name'], signal)
  const lines = stdout.toString('latin1').split('\0')
  return new Set(lines.flatMap((line) => (line.startsWith('S ') ? line.slice(2) : [])))
}

/** Of the folder in its repository, with `/` at its end; empty for the root. */
export function prefixOf({ root, folder }: Place): BytePath {
  const prefix = relative(root, folder).split(sep).join('/')
  return prefix === '' ? '' : bytePathOfText(`${prefix}/`)
}
