import { UsageError, assertKnownKeys, type OptionKeys, given } from '../../../../base/index.ts'
import type { MeasureEvidence } from '@donecheck/core/verdicts'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { verifierBy, type UserVerifier, type NamedOptions, namedKeys } from '../../reports/verifier-of.ts'
import { findMergeBase } from './git-program.ts'
import { listOf, showPaths, withRepository, pathMatcher } from './git-report.ts'
import { listChanges } from './list-changes.ts'
import { changesSince, listFiles, noteOfStart, startFor } from './since-start.ts'
import type { TreeChange } from './tree-change.ts'
import { passedReport, failedReport } from '../../reports/reports.ts'

export interface GitDiffBounds {
  /** Globs relative to the work folder: nothing else may be changed. `../` reaches the rest of the repository. */
  readonly only?: readonly string[]
  /** Globs of what may not be changed, whatever `only` says. */
  readonly forbid?: readonly string[]
  readonly maxFiles?: number
  /** Lines of binary files do not count; their bytes do. */
  readonly maxAddedLines?: number
  readonly maxRemovedLines?: number
  /** Of all added and changed files together, as they are now. */
  readonly maxBytes?: number
}

export interface GitDiffOptions extends NamedOptions, GitDiffBounds {
  /** The revision to compare with. Default `HEAD`. */
  readonly against?: string
  /**
   * When that revision is looked up. `start` (default): on the baseline tree, once; a commit of the drive does not move
   * it, and what was uncommitted then does not count while it stays as it was. `now`: at every check.
   */
  readonly lookedUp?: 'start' | 'now'
}

const gitDiffKeys: OptionKeys<GitDiffOptions> = {
  ...namedKeys,
  against: true,
  lookedUp: true,
  only: true,
  forbid: true,
  maxFiles: true,
  maxAddedLines: true,
  maxRemovedLines: true,
  maxBytes: true,
}

/**
 * Only these paths changed, nothing else, and not too much of it. Reads every file of the repository's work tree, its
 * index and the commits since; ignored files do not count. A rename counts under both names, a file of a submodule under
 * its own path. No program that the repository names is run, so a file of large-file storage counts as changed, unless it
 * stays as it was when the run began.
 *
 * No repository, an unknown revision, a submodule of a submodule, git missing or failing: `error` with `infrastructure`.
 * Never remembered: commits are no part of the fingerprint.
 * @throws {UsageError} where nothing is asked for, or a bound or glob means nothing
 */
export function gitDiff(options: GitDiffOptions): Verifier {
  assertKnownKeys(options, gitDiffKeys, 'gitDiff')
  const { name = 'git diff', against = 'HEAD', lookedUp = 'start' } = options
  if (against.trim() === '')
    throw new UsageError('against is empty; give a revision, such as "HEAD" or "main"')
  const problemsOf = rulesOf(options)
  const isFixed = lookedUp === 'start'
  const ask: UserVerifier = (context, signal) =>
    withRepository(name, context, signal, async (repository, workFolder) => {
      const start = isFixed
        ? await startFor(repository, context, against)
        : {
            commit: await findMergeBase(repository, against),
            changedBefore: new Map<string, string | null>(),
          }
      const all = await listChanges(repository, start.commit)
      const isStart = isFixed && context.trigger === 'baseline'
      const changes = isStart ? [] : await changesSince(all, start, workFolder, signal)
      const files = isStart ? await listFiles(all, workFolder, signal) : []
      const report = reportOf(changes, problemsOf(changes), options)
      return { ...report, evidence: [noteOfStart(start.commit), ...files, ...report.evidence] }
    })
  return verifierBy(name, ask, { ...options, looksAt: 'work-folder' })
}

type Rule = (changes: readonly TreeChange[]) => string | undefined

/** @throws {UsageError} */
function rulesOf(bounds: GitDiffBounds): (changes: readonly TreeChange[]) => readonly string[] {
  const { only, forbid = [] } = bounds
  const rules: Rule[] = []
  if (only !== undefined) rules.push(pathRule('outside of what may change', not(pathMatcher('only', only))))
  if (forbid.length > 0) rules.push(pathRule('may not be changed', pathMatcher('forbid', forbid)))
  for (const measure of measures) {
    const bound = bounds[measure.option]
    if (bound === undefined) continue
    if (!Number.isInteger(bound) || bound < 0)
      throw new UsageError(`${measure.option} is ${bound}; give a whole number, 0 or more`)
    rules.push((changes) => {
      const value = measure.of(changes)
      return value > bound ? `${value} ${measure.name}, more than ${bound}` : undefined
    })
  }
  if (rules.length === 0)
    throw new UsageError(
      'gitDiff is not told what to look for; give it only, forbid or a bound such as maxFiles',
    )
  return (changes) => rules.flatMap((rule) => rule(changes) ?? [])
}

function pathRule(problem: string, isMeant: (path: string) => boolean): Rule {
  return (changes) => {
    const meant = changes.filter(({ path }) => isMeant(path))
    return meant.length === 0 ? undefined : `${problem}: ${showPaths(meant)}`
  }
}

function not(isMeant: (path: string) => boolean): (path: string) => boolean {
  return (path) => !isMeant(path)
}

const measures = [
  { option: 'maxFiles', name: 'changed files', of: (changes: readonly TreeChange[]) => changes.length },
  { option: 'maxAddedLines', name: 'added lines', of: total('addedLines') },
  { option: 'maxRemovedLines', name: 'removed lines', of: total('removedLines') },
  { option: 'maxBytes', name: 'changed bytes', of: total('bytes') },
] as const

function total(field: 'addedLines' | 'removedLines' | 'bytes') {
  return (changes: readonly TreeChange[]): number => changes.reduce((sum, change) => sum + change[field], 0)
}

function reportOf(
  changes: readonly TreeChange[],
  problems: readonly string[],
  bounds: GitDiffBounds,
): VerifierReport {
  const numbers = measures.map(({ option, name, of }): MeasureEvidence => {
    const bound = bounds[option]
    return { kind: 'measure', name, value: of(changes), ...given({ bound }) }
  })
  const list = changes.length === 0 ? [] : [{ kind: 'note' as const, text: listOf(changes) }]
  return problems.length === 0
    ? passedReport(`${changes.length} changed, all within bounds`, ...numbers, ...list)
    : failedReport(problems.join('; '), ...numbers, ...list)
}
