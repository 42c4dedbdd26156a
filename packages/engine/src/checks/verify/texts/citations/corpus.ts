import { UsageError } from '../../../../base/index.ts'
import type { VerifierReport } from '../../../../ports/checks.ts'
import { listMatching } from '../../work-tree/files/list-matching.ts'
import { readFile } from '../../work-tree/files/read-file.ts'
import { relativePath } from '../../work-tree/files/relative-path.ts'
import { showValue, unanswerable, undecidedReport, type Found } from '../../reports/reports.ts'
import { decodeUtf8 } from '../text/source.ts'

/** More than that is no list of sources that anybody has looked at. */
const maxFiles = 10_000

/** @throws {UsageError} for no source, and for what is no glob of the work folder */
export function corpusGlobs(sources: readonly string[]): readonly string[] {
  if (sources.length === 0)
    throw new UsageError('citations has no sources; give globs of the files that may be cited')
  const address = sources.find((source) => /^https?:\/\//iu.test(source))
  if (address !== undefined)
    throw new UsageError(
      `the source ${showValue(address)} is a web address; save the page in the work folder, and give its path`,
    )
  return sources.map((glob) => relativePath(glob))
}

/** Returns the paths that may be cited. An empty corpus is `error`: whatever is cited, nothing could be looked up. */
export async function listCorpus(
  globs: readonly string[],
  workFolder: string | null,
  signal: AbortSignal,
): Promise<readonly string[] | VerifierReport> {
  if (workFolder === null)
    return unanswerable(`${globs.join(', ')}: there is no work folder; give the run one`, 'unverifiable')
  const paths = new Set<string>()
  for (const glob of globs) {
    const listing = await listMatching(workFolder, glob, signal)
    if (listing.kind === 'unreadable') return undecidedReport(listing.reason)
    for (const path of listing.paths) paths.add(path)
  }
  if (paths.size > maxFiles) return undecidedReport(`there are more than ${maxFiles} sources; name fewer`)
  if (paths.size === 0) return undecidedReport(`there is no source: nothing matches ${globs.join(', ')}`)
  return [...paths]
}

export type Resolved =
  { readonly kind: 'file'; readonly path: string } | { readonly kind: 'unknown'; readonly problem: string }

/** By its path, or by its file name with or without extension where only one source is called so. */
export function resolveSource(named: string, paths: readonly string[]): Resolved {
  const path = named.replace(/^\.\//u, '').replace(/#.*$/u, '')
  if (paths.includes(path)) return { kind: 'file', path }
  const called = paths.filter((known) => namesOf(known).includes(path))
  const [only, ...others] = called
  if (only === undefined) return { kind: 'unknown', problem: `there is no source "${named}"` }
  if (others.length === 0) return { kind: 'file', path: only }
  const problem = `"${named}" may be any of ${called.slice(0, 3).join(', ')}: name its path`
  return { kind: 'unknown', problem }
}

export async function readCorpusFile(
  workFolder: string | null,
  path: string,
  signal: AbortSignal,
): Promise<Found<string>> {
  const seen = await readFile(workFolder ?? '', path, signal)
  if (seen.kind === 'not-seen') return { kind: 'not-read', report: seen.report }
  const value = decodeUtf8(seen.bytes)
  if (value !== undefined) return { kind: 'read', value, evidence: [seen.evidence] }
  return { kind: 'not-read', report: undecidedReport(`the source ${path} is no UTF-8 text`) }
}

function namesOf(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return [name, name.replace(/\.[^.]+$/u, '')]
}
