import type { Verifier } from '../../../../ports/checks.ts'
import { type VerifierOptions, verifierKeys } from '../../reports/describe-verifier.ts'
import { verifierBy } from '../../reports/verifier-of.ts'
import { findMergeBase } from './commits.ts'
import { listOf, showPaths, withRepository } from './git-report.ts'
import { listChanges } from './list-changes.ts'
import { pathMatcher } from './path-globs.ts'
import { assertKnownKeys, type OptionKeys } from '../../../../base/index.ts'

export interface GitCleanOptions extends VerifierOptions {
  /** Default: `git clean`. */
  readonly name?: string
  /** Globs relative to the work folder: what may be uncommitted. */
  readonly except?: readonly string[]
}

const gitCleanKeys: OptionKeys<GitCleanOptions> = {
  ...verifierKeys,
  name: true,
  except: true,
}

/**
 * Nothing is uncommitted in the repository of the work folder. Reads every file of its work tree, its index and its
 * latest commit, submodules too; ignored files do not count. It proves that the latest commit holds what is in the tree,
 * whatever the index says of unchanged files. No program that the repository names is run; so a file that a filter of the
 * repository rewrites counts as changed, files of large-file storage aside. In a sparse checkout absent files are removed.
 *
 * No repository, or git missing or failing: `error` with `infrastructure`. Never remembered: commits are no part of the
 * fingerprint.
 * @throws {UsageError} for a glob that means nothing
 */
export function gitClean(options: GitCleanOptions = {}): Verifier {
  assertKnownKeys(options, gitCleanKeys, 'gitClean')
  const { name = 'git clean', except = [] } = options
  const isExcepted = pathMatcher('except', except)
  const ask: Parameters<typeof verifierBy>[1] = (context, signal) =>
    withRepository(name, context, signal, async (repository) => {
      const commit = await findMergeBase(repository, 'HEAD')
      const changes = (await listChanges(repository, commit)).filter(({ path }) => !isExcepted(path))
      const evidence = [{ kind: 'note' as const, text: `compared with commit ${commit}` }]
      if (changes.length === 0)
        return {
          status: 'passed',
          reason: 'nothing is uncommitted',
          canRetry: true,
          qualifiers: [],
          evidence,
        }
      return {
        status: 'failed',
        reason: `${changes.length} uncommitted: ${showPaths(changes)}`,
        canRetry: true,
        qualifiers: [],
        evidence: [...evidence, { kind: 'note', text: listOf(changes) }],
      }
    })
  return verifierBy(name, ask, { ...options, looksAt: 'work-folder' })
}
