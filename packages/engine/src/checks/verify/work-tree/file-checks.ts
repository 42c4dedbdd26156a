import { z } from 'zod'
import { UsageError, assertText } from '../../../base/index.ts'
import type { Verifier, VerifierResult } from '../../../ports/checks.ts'
import { failedReport, listEvidence, passedReport, showValue, undecidedResult } from '../reports/reports.ts'
import { namedOptions, readOptions, verifierBy, type Ask } from '../reports/verifier-of.ts'
import { contains, type Pattern, type PatternOptions } from '../texts/patterns.ts'
import { digestFile, listMatching, nothingAt, relativePath } from './files.ts'

const fileExistsOptions = namedOptions.extend({
  /** Default false: 0 bytes are enough. */
  nonEmpty: z.boolean().optional(),
})
type FileExistsOptions = Readonly<z.infer<typeof fileExistsOptions>>

/** Candidates tried per glob. */
const maxTried = 100

interface Wanted {
  readonly shown: string
  readonly isGlob: boolean
}

/**
 * A regular file exists; each glob of a list needs one. A single text is literal. Folders and outside
 * symlinks do not count.
 * @throws {UsageError} for an empty list, an outside path, or an invalid glob
 */
export function fileExists(path: string | readonly string[], given: FileExistsOptions = {}): Verifier {
  const options = readOptions(fileExistsOptions, given, 'fileExists')
  const wanted = wantedOf(path)
  const { nonEmpty = false } = options
  const shown = wanted.map((one) => one.shown)
  const ask: Ask = async ({ workFolder }, signal) => {
    if (workFolder === null)
      return undecidedResult(`${shown.join(', ')}: there is no work folder; give the run one`)
    const reports: VerifierResult[] = []
    for (const one of wanted) reports.push(await look(workFolder, one, nonEmpty, signal))
    return together(reports)
  }
  const name = options.name ?? `${shown.join(', ')} ${nonEmpty ? 'exists and is not empty' : 'exists'}`
  return verifierBy(name, ask, { ...options, looksAt: 'work-folder' })
}

function wantedOf(path: string | readonly string[]): readonly Wanted[] {
  if (typeof path === 'string') {
    if (path.includes('*'))
      throw new UsageError(`the path ${showValue(path)} has * in it; give globs as a list: fileExists([…])`)
    return [{ shown: relativePath(path), isGlob: false }]
  }
  if (!Array.isArray(path) || path.length === 0)
    throw new UsageError(
      `fileExists takes a path, or a list of globs that is not empty, not ${showValue(path)}`,
    )
  return path.map((glob) => {
    assertText(glob, 'a glob of fileExists', 'a text such as "dist/*.js"')
    if (glob.startsWith('!'))
      throw new UsageError(
        `the glob ${showValue(glob)} is negated, and nearly every file would do; give one that names files`,
      )
    return { shown: relativePath(glob), isGlob: true }
  })
}

async function look(
  folder: string,
  { shown, isGlob }: Wanted,
  nonEmpty: boolean,
  signal: AbortSignal,
): Promise<VerifierResult> {
  if (!isGlob) return lookAt(folder, shown, nonEmpty, signal)
  const listing = await listMatching(folder, shown, signal)
  if (listing.kind === 'unreadable') return undecidedResult(listing.reason)
  const refused: VerifierResult[] = []
  for (const path of listing.paths.slice(0, maxTried)) {
    const report = await lookAt(folder, path, nonEmpty, signal)
    if (report.status === 'passed') return report
    refused.push(report)
  }
  const [first] = refused
  if (first === undefined) return failedReport(`there is no ${shown}`, nothingAt(shown))
  return { ...first, reason: `none of the files of ${shown} will do: ${first.reason}` }
}

async function lookAt(
  folder: string,
  path: string,
  nonEmpty: boolean,
  signal: AbortSignal,
): Promise<VerifierResult> {
  const seen = await digestFile(folder, path, signal)
  if (seen.kind === 'not-read') return seen.report
  if (nonEmpty && seen.file.bytes === 0) return failedReport(`${path} is empty`, seen.file)
  return passedReport(`there is ${path}`, seen.file)
}

function together(reports: readonly VerifierResult[]): VerifierResult {
  const evidence = reports.flatMap((report) => report.evidence)
  const ranked = reports.toSorted((one, other) => rank(one) - rank(other))
  const [first, ...more] = ranked.filter(({ status }) => status !== 'passed')
  const [only, ...others] = reports
  if (first !== undefined)
    return { ...first, evidence: [...evidence, ...listEvidence(more.map(({ reason }) => reason))] }
  const isOne = only !== undefined && others.length === 0
  return passedReport(isOne ? only.reason : `all ${reports.length} are there`, ...evidence)
}

/** What is missing is told before what could not be looked at. */
function rank({ status }: VerifierResult): number {
  return status === 'failed' ? 0 : 1
}

/**
 * A file contains the pattern (UTF-8, up to 10 MiB). Missing or outside: `failed`; unreadable: `error`.
 * @throws {UsageError} for an outside path or empty pattern
 */
export function fileMatches(
  path: string,
  pattern: Pattern,
  options: Omit<PatternOptions, 'source'> = {},
): Verifier {
  return contains(pattern, { ...options, source: { file: path } })
}
