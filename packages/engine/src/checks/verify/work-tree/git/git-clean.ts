import type { Verifier } from '../../../../ports/checks.ts'
import { verifierBy, type UserVerifier, type NamedOptions, namedKeys } from '../../reports/verifier-of.ts'
import { findMergeBase } from './git-program.ts'
import { listOf, showPaths, withRepository, pathMatcher } from './git-report.ts'
import { listChanges } from './list-changes.ts'
import { assertKnownKeys, type OptionKeys } from '../../../../base/index.ts'
import { passedReport, failedReport } from '../../reports/reports.ts'

export interface GitCleanOptions extends NamedOptions {
  /** Globs relative to the work folder: what may be uncommitted. */
  readonly except?: readonly string[]
}

const gitCleanKeys: OptionKeys<GitCleanOptions> = { ...namedKeys, except: true }

/**
 * Nothing is uncommitted in the repository of the work folder. Reads every file of its work tree, its index and its
 * latest commit, submodules too; ignored files do not count. It proves that the latest commit holds what is in the tree,
 * whatever the index says of unchanged files. No program that the repository names is run; so a file that a filter of the
 * repository rewrites counts as changed, such as one of large-file storage. In a sparse checkout absent files are removed.
 *
 * No repository, a submodule of a submodule, or git missing or failing: `error` with `infrastructure`. Never remembered:
 * commits are no part of the fingerprint.
 * @throws {UsageError} for a glob that means nothing
 */
export function gitClean(options: GitCleanOptions = {}): Verifier {
  assertKnownKeys(options, gitCleanKeys, 'gitClean')
  const { name = 'git clean', except = [] } = options
  const isExcepted = pathMatcher('except', except)
  const ask: UserVerifier = (context, signal) =>
    withRepository(name, context, signal, async (repository) => {
      const commit = await findMergeBase(repository, 'HEAD')
      const changes = (await listChanges(repository, commit)).filter(({ path }) => !isExcepted(path))
      const note = { kind: 'note', text: `compared with commit ${commit}` } as const
      if (changes.length === 0) return passedReport('nothing is uncommitted', note)
      const list = { kind: 'note', text: listOf(changes) } as const
      return failedReport(`${changes.length} uncommitted: ${showPaths(changes)}`, note, list)
    })
  return verifierBy(name, ask, { ...options, looksAt: 'work-folder' })
}
