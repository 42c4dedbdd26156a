import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { runGit, type Place } from '../run-git.ts'
import { SnapshotError } from '../snapshot/snapshot-error.ts'

/** Nothing of this user's or of the machine's settings: the same copy everywhere. */
const bareSettings = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

/**
 * A repository in the copy with the commits, branches and tags of the original, at its commit, its index as that commit
 * is. It borrows the original's objects, and gets none of its settings and hooks. A repository without commits stays
 * without.
 * @throws {SnapshotError} where git refuses
 */
export async function makeRepository(
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
    const options = stdin === undefined ? {} : { stdin }
    const { exitCode, stdout } = await runGit(copy, words, signal, { environment, ...options })
    signal.throwIfAborted()
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
  signal.throwIfAborted()
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
