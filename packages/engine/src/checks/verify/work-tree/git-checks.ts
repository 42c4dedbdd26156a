/** Checks that nothing changed in the repository, or only allowed paths and not too much. */
import picomatch from 'picomatch'
import { z } from 'zod'
import type { Evidence, MeasureEvidence, Verdict } from '@donecheck/core/internal/events/verdicts'
import { UsageError, given } from '../../../base/index.ts'
import type { Verifier, VerifierContext, VerifierResult } from '../../../ports/checks.ts'
import { failedReport, listEvidence, passedReport, undecidedResult } from '../reports/reports.ts'
import { namedOptions, readOptions, verifierBy, type Ask } from '../reports/verifier-of.ts'
import { findMergeBase, GitProblem, openRepository, type Repository } from './git.ts'
import { listChanges, type TreeChange } from './git-changes.ts'

const globs = z.array(z.string()).optional()
const most = z.number().int().nonnegative().optional()

const gitCleanOptions = namedOptions.extend({
  /** Globs relative to the work folder that may be uncommitted. */
  except: globs,
})
type GitCleanOptions = Readonly<z.infer<typeof gitCleanOptions>>

/**
 * Nothing is uncommitted, submodules included; ignored files do not count. Reads every file and runs no
 * filter, so LFS files count as changed. Git missing or failing: `error`.
 * @throws {UsageError} for an invalid glob
 */
export function gitClean(given: GitCleanOptions = {}): Verifier {
  const options = readOptions(gitCleanOptions, given, 'gitClean')
  const { name = 'git clean', except = [] } = options
  const isExcepted = pathMatcher('except', except)
  const ask: Ask = (context, signal) =>
    withRepository(name, context, signal, async (repository) => {
      const commit = await findMergeBase(repository, 'HEAD')
      const changes = (await listChanges(repository, commit)).filter(({ path }) => !isExcepted(path))
      const note = { kind: 'note', text: `compared with commit ${commit}` } as const
      if (changes.length === 0) return passedReport('nothing is uncommitted', note)
      return failedReport(`${changes.length} uncommitted: ${showPaths(changes)}`, note, ...listOf(changes))
    })
  return verifierBy(name, ask, { ...options, looksAt: 'work-folder' })
}

const gitDiffOptions = namedOptions.extend({
  /** Globs relative to the work folder: only these may change. `../` reaches the rest of the repository. */
  only: globs,
  /** Globs that must not change, overriding `only`. */
  forbid: globs,
  maxFiles: most,
  /** Binary files have bytes, but no lines. */
  maxAddedLines: most,
  maxRemovedLines: most,
  /** Total current size of added and changed files. */
  maxBytes: most,
  /** Revision to compare with. Default `HEAD`. */
  against: z.string().trim().min(1, 'must be a revision, such as "HEAD" or "main"').optional(),
  /** `start` (default): resolved on the baseline, whose uncommitted changes are exempt. `now`: every time. */
  lookedUp: z.enum(['start', 'now']).optional(),
})
export type GitDiffOptions = Readonly<z.infer<typeof gitDiffOptions>>

/**
 * Only these paths changed, and not too much. Reads work tree, index and commits since, without filters or
 * ignored files; a rename counts twice. Unknown revision or failing git: `error`.
 * @throws {UsageError} if nothing is limited, or a limit or glob is invalid
 */
export function gitDiff(written: GitDiffOptions): Verifier {
  const options = readOptions(gitDiffOptions, written, 'gitDiff')
  const { name = 'git diff', against = 'HEAD', lookedUp = 'start' } = options
  const problemsOf = rulesOf(options)
  const isFixed = lookedUp === 'start'
  const ask: Ask = (context, signal) =>
    withRepository(name, context, signal, async (repository) => {
      const start = isFixed
        ? await startFor(repository, context, against)
        : {
            commit: await findMergeBase(repository, against),
            changedBefore: new Map<string, string>(),
          }
      const all = await listChanges(repository, start.commit)
      const isStart = isFixed && context.trigger === 'baseline'
      const changes = isStart ? [] : changesSince(all, start)
      const before = isStart ? all.slice(0, maxRemembered).map(noteOfChange) : []
      const report = reportOfChanges(changes, problemsOf(changes), options)
      return { ...report, evidence: [noteOfStart(start.commit), ...before, ...report.evidence] }
    })
  return verifierBy(name, ask, { ...options, looksAt: 'work-folder' })
}

type Rule = (changes: readonly TreeChange[]) => string | undefined

function rulesOf(bounds: GitDiffOptions): (changes: readonly TreeChange[]) => readonly string[] {
  const { only, forbid = [] } = bounds
  const rules: Rule[] = []
  if (only !== undefined) rules.push(pathRule('outside of what may change', not(pathMatcher('only', only))))
  if (forbid.length > 0) rules.push(pathRule('may not be changed', pathMatcher('forbid', forbid)))
  for (const measure of measures) {
    const bound = bounds[measure.option]
    if (bound === undefined) continue
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

function reportOfChanges(
  changes: readonly TreeChange[],
  problems: readonly string[],
  bounds: GitDiffOptions,
): VerifierResult {
  const numbers = measures.map(({ option, name, of }): MeasureEvidence => {
    const bound = bounds[option]
    return { kind: 'measure', name, value: of(changes), ...given({ bound }) }
  })
  const list = listOf(changes)
  return problems.length === 0
    ? passedReport(`${changes.length} changed, all within bounds`, ...numbers, ...list)
    : failedReport(problems.join('; '), ...numbers, ...list)
}

interface Start {
  readonly commit: string
  /** Path → git id of content changed before the run. */
  readonly changedBefore: ReadonlyMap<string, string>
}

const startWords = 'compared with the start of the run, commit '
const beforeWords = 'changed before the run: '
/** Further ones count as changes of the run. */
const maxRemembered = 1000

/** Reads the start from the baseline's verdict; undefined if it did not run. @throws {GitProblem} */
function startOf(baseline: Verdict | undefined): Start | undefined {
  if (baseline === undefined) return undefined
  const notes = baseline.evidence.flatMap((evidence) => (evidence.kind === 'note' ? [evidence.text] : []))
  const commit = notes.find((text) => text.startsWith(startWords))?.slice(startWords.length)
  if (commit === undefined || !/^[0-9a-f]{40,64}$/u.test(commit))
    throw new GitProblem('the commit at the start of the run was not recorded')
  const before = notes.flatMap((text) =>
    text.startsWith(beforeWords) ? [text.slice(beforeWords.length)] : [],
  )
  const changedBefore = before.map((text): [string, string] => {
    const [id = ''] = text.split(' ', 1)
    return [text.slice(id.length + 1), id]
  })
  return { commit, changedBefore: new Map(changedBefore) }
}

function noteOfStart(commit: string): Evidence {
  return { kind: 'note', text: `${startWords}${commit}` }
}

async function startFor(repository: Repository, context: VerifierContext, revision: string): Promise<Start> {
  const known = context.trigger === 'baseline' ? undefined : startOf(context.baseline)
  return known ?? { commit: await findMergeBase(repository, revision), changedBefore: new Map() }
}

function noteOfChange({ id, path }: TreeChange): Evidence {
  return { kind: 'note', text: `${beforeWords}${id} ${path}` }
}

/** Drops changes that are still as before the run. */
function changesSince(changes: readonly TreeChange[], { changedBefore }: Start): readonly TreeChange[] {
  return changes.filter(({ path, id, place }) => place === 'commits' || changedBefore.get(path) !== id)
}

const namedInReason = 5
const listedInEvidence = 200

/** Runs git; failure means `error`. */
async function withRepository(
  name: string,
  { workFolder }: VerifierContext,
  signal: AbortSignal,
  ask: (repository: Repository) => Promise<VerifierResult>,
): Promise<VerifierResult> {
  if (workFolder === null) return undecidedResult(`${name} has no work folder to look at; give the run one`)
  try {
    return await ask(openRepository(workFolder, signal))
  } catch (error) {
    if (error instanceof GitProblem)
      return undecidedResult(`${name} could not be decided: ${error.message}`, 'infrastructure')
    throw error
  }
}

function showPaths(changes: readonly TreeChange[]): string {
  const named = changes.slice(0, namedInReason).map(({ path }) => showPath(path))
  const others = changes.length - named.length
  return named.join(', ') + (others > 0 ? ` and ${others} more` : '')
}

function listOf(changes: readonly TreeChange[]): readonly Evidence[] {
  return listEvidence(changes.map(showChange), listedInEvidence)
}

function showChange({ kind, path, place, binary, bytes, addedLines, removedLines }: TreeChange): string {
  const where = { 'work-tree': '', index: ', in the index only', commits: ', in commits only' }[place]
  const amount = binary ? `binary, ${bytes} bytes` : `+${addedLines} -${removedLines}`
  return `${kind} ${showPath(path)} (${amount}${where})`
}

/** `*` stays within a folder; a plain path matches everything below. @throws {UsageError} */
function pathMatcher(option: string, globs: readonly string[]): (path: string) => boolean {
  for (const glob of globs)
    if (typeof glob !== 'string' || glob.trim() === '' || glob.startsWith('/') || glob.startsWith('!'))
      throw new UsageError(
        `${option} has ${JSON.stringify(glob)}; give globs relative to the work folder, such as "src/**"`,
      )
  const plain = globs.map((glob) => glob.replace(/^\.\//u, '').replace(/\/+$/u, ''))
  const isMatch = picomatch(plain, { dot: true, nonegate: true })
  return (path) =>
    plain.some((glob) => path === glob || path.startsWith(`${glob}/`)) || (plain.length > 0 && isMatch(path))
}

/** Quotes unusual names as JSON. */
function showPath(path: string): string {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(path) && path === path.trim() ? path : JSON.stringify(path)
}
