import {
  UsageError,
  assertKnownKeys,
  assertList,
  assertText,
  type OptionKeys,
} from '../../../../base/index.ts'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { verifierBy, type UserVerifier, type NamedOptions, namedKeys } from '../../reports/verifier-of.ts'
import {
  showValue,
  failedReport,
  listEvidence,
  passedReport,
  undecidedReport,
} from '../../reports/reports.ts'
import { globOf } from '../../texts/text/source.ts'
import { listMatching } from './list-matching.ts'
import { digestFile, nothingAt } from './read-file.ts'
import { relativePath } from './relative-path.ts'

export interface FileExistsOptions extends NamedOptions {
  /** Default false: a file of 0 bytes is a file. */
  readonly nonEmpty?: boolean
}

const fileExistsKeys: OptionKeys<FileExistsOptions> = { ...namedKeys, nonEmpty: true }

/** Files of one glob that are looked at before none of them is found to be one. */
const maxTried = 100

interface Wanted {
  readonly shown: string
  /** For the key of a remembered verdict. */
  readonly glob: string
  readonly isGlob: boolean
}

/**
 * There is such a regular file in the work folder; of a list of globs, each means at least one. A path (a text alone) is
 * taken literally. Folders do not count, nor does what a symlink puts outside of the work folder. A folder that cannot be
 * looked through, or a file that cannot be read, is `error`.
 * @throws {UsageError} for an empty list, a path out of the folder, a negated glob, or a text with `*` in it
 */
export function fileExists(path: string | readonly string[], options: FileExistsOptions = {}): Verifier {
  assertKnownKeys(options, fileExistsKeys, 'fileExists')
  const wanted = wantedOf(path)
  const { nonEmpty = false } = options
  const shown = wanted.map((one) => one.shown)
  const ask: UserVerifier = async ({ workFolder }, signal) => {
    if (workFolder === null)
      return undecidedReport(`${shown.join(', ')}: there is no work folder; give the run one`)
    const reports: VerifierReport[] = []
    for (const one of wanted) reports.push(await look(workFolder, one, nonEmpty, signal))
    return together(reports)
  }
  const name = options.name ?? `${shown.join(', ')} ${nonEmpty ? 'exists and is not empty' : 'exists'}`
  return {
    ...verifierBy(name, ask, { ...options, looksAt: 'work-folder' }),
    inputs: {
      definition: { kind: 'fileExists', wanted: wanted.map(({ glob }) => glob), nonEmpty },
      environmentDigest: undefined,
      readsAnswer: false,
      // A glob also means the file with its very name.
      files: wanted.flatMap(({ glob, shown }) => [...new Set([glob, globOf(shown)])]),
    },
  }
}

function wantedOf(path: string | readonly string[]): readonly Wanted[] {
  if (typeof path === 'string') {
    if (path.includes('*'))
      throw new UsageError(`the path ${showValue(path)} has * in it; give globs as a list: fileExists([…])`)
    const literal = relativePath(path)
    return [{ shown: literal, glob: globOf(literal), isGlob: false }]
  }
  assertList(path, 'the path of fileExists', 'a path, or a list of globs')
  if (path.length === 0) throw new UsageError('fileExists has no path; give at least one')
  return path.map((glob) => {
    assertText(glob, 'a glob of fileExists', 'a text such as "dist/*.js"')
    if (glob.startsWith('!'))
      throw new UsageError(
        `the glob ${showValue(glob)} is negated, and nearly every file would do; give one that names files`,
      )
    const relative = relativePath(glob)
    return { shown: relative, glob: relative, isGlob: true }
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
