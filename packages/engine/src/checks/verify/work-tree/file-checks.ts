import { z } from 'zod'
import { UsageError, assertText } from '../../../base/index.ts'
import type { Verifier, VerifierReport } from '../../../ports/checks.ts'
import { failedReport, listEvidence, passedReport, showValue, undecidedReport } from '../reports/reports.ts'
import { namedOptions, readOptions, verifierBy, type Ask } from '../reports/verifier-of.ts'
import { contains, type Pattern, type PatternOptions } from '../texts/patterns.ts'
import { digestFile, listMatching, nothingAt, relativePath } from './files.ts'

const fileExistsOptions = namedOptions.extend({
  /** Default false: a file of 0 bytes is a file. */
  nonEmpty: z.boolean().optional(),
})
type FileExistsOptions = Readonly<z.infer<typeof fileExistsOptions>>

/** Files of one glob that are looked at before none of them is found to be one. */
const maxTried = 100

interface Wanted {
  readonly shown: string
  readonly isGlob: boolean
}

/**
 * A regular file exists in the work folder; each glob of a list needs at least one. A single text is a literal path.
 * Folders and symlinks out of the work folder do not count. What cannot be read is `error`.
 * @throws {UsageError} for an empty list, a path out of the folder, a negated glob, or a text with `*`
 */
export function fileExists(path: string | readonly string[], given: FileExistsOptions = {}): Verifier {
  const options = readOptions(fileExistsOptions, given, 'fileExists')
  const wanted = wantedOf(path)
  const { nonEmpty = false } = options
  const shown = wanted.map((one) => one.shown)
  const ask: Ask = async ({ workFolder }, signal) => {
    if (workFolder === null)
      return undecidedReport(`${shown.join(', ')}: there is no work folder; give the run one`)
    const reports: VerifierReport[] = []
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
): Promise<VerifierReport> {
  if (!isGlob) return lookAt(folder, shown, nonEmpty, signal)
  const listing = await listMatching(folder, shown, signal)
  if (listing.kind === 'unreadable') return undecidedReport(listing.reason)
  const refused: VerifierReport[] = []
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
): Promise<VerifierReport> {
  const seen = await digestFile(folder, path, signal)
  if (seen.kind === 'not-seen') return seen.report
  if (nonEmpty && seen.evidence.bytes === 0) return failedReport(`${path} is empty`, seen.evidence)
  return passedReport(`there is ${path}`, seen.evidence)
}

/** A failure says more than an error: it is known. */
function together(reports: readonly VerifierReport[]): VerifierReport {
  const evidence = reports.flatMap((report) => report.evidence)
  const wrong = [
    ...reports.filter(({ status }) => status === 'failed'),
    ...reports.filter(({ status }) => status === 'error'),
  ]
  const [first, ...more] = wrong
  if (first === undefined) {
    const [only] = reports
    const reason =
      reports.length === 1 && only !== undefined ? only.reason : `all ${reports.length} are there`
    return passedReport(reason, ...evidence)
  }
  return { ...first, evidence: [...evidence, ...listEvidence(more.map(({ reason }) => reason))] }
}

/**
 * A file of the work folder contains the pattern (up to 10 MiB of UTF-8). Missing or outside of the folder: `failed`;
 * unreadable: `error`.
 * @throws {UsageError} for a path out of the folder or an empty pattern
 */
export function fileMatches(
  path: string,
  pattern: Pattern,
  options: Omit<PatternOptions, 'source'> = {},
): Verifier {
  return contains(pattern, { ...options, source: { file: path } })
}
