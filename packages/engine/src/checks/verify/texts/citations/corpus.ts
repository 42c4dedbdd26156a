import { UsageError } from '../../../../base/index.ts'
import type { VerifierReport } from '../../../../ports/checks.ts'
import { listMatching } from '../../work-tree/files/list-matching.ts'
import { readFile } from '../../work-tree/files/read-file.ts'
import { relativePath } from '../../work-tree/files/relative-path.ts'
import { askServer } from '../../services/http/ask-server.ts'
import {
  showValue,
  interruptedReport,
  unanswerable,
  undecidedReport,
  type Found,
} from '../../reports/reports.ts'
import { decodeUtf8 } from '../text/source.ts'

/** What may be cited, as it is configured. */
export type CorpusPlaces = Pick<Corpus, 'urls'> & { readonly globs: readonly string[] }

/** What may be cited, as it is there. */
export interface Corpus {
  readonly paths: readonly string[]
  readonly urls: readonly string[]
}

/** More than that is no list of sources that anybody has looked at. */
const maxFiles = 10_000
const requestTimeoutMs = 20_000
const maxBodyBytes = 5 * 1024 * 1024

/** @throws {UsageError} for no source, and for what is neither a glob nor an address */
export function corpusPlaces(sources: readonly string[]): CorpusPlaces {
  if (sources.length === 0)
    throw new UsageError('citations has no sources; give globs of files, or addresses, that may be cited')
  const urls = sources.filter(isAddress)
  const globs = sources.filter((source) => !isAddress(source)).map((glob) => relativePath(glob))
  const wrong = urls.find((url) => !URL.canParse(url))
  if (wrong !== undefined) throw new UsageError(`the source ${showValue(wrong)} is no web address`)
  return { globs, urls: urls.map(addressOf) }
}

/** An empty corpus is `error`: whatever is cited, nothing could be looked up. */
export async function listCorpus(
  { globs, urls }: CorpusPlaces,
  workFolder: string | null,
  signal: AbortSignal,
): Promise<Corpus | VerifierReport> {
  const paths = new Set<string>()
  if (workFolder === null && urls.length === 0)
    return unanswerable(`${globs.join(', ')}: there is no work folder; give the run one`, 'unverifiable')
  for (const glob of workFolder === null ? [] : globs) {
    const listing = await listMatching(workFolder ?? '', glob, signal)
    if (listing.kind === 'unreadable') return undecidedReport(listing.reason)
    for (const path of listing.paths) paths.add(path)
  }
  if (paths.size > maxFiles) return undecidedReport(`there are more than ${maxFiles} sources; name fewer`)
  if (paths.size + urls.length === 0)
    return undecidedReport(`there is no source: nothing matches ${globs.join(', ')}`)
  return { paths: [...paths], urls }
}

export type Resolved =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'unknown'; readonly problem: string }

/** By its path or address, or by its file name with or without extension where only one source is called so. */
export function resolveSource(named: string, { paths, urls }: Corpus): Resolved {
  if (isAddress(named)) {
    const url = URL.canParse(named) ? addressOf(named) : named
    return urls.includes(url) ? { kind: 'url', url } : unknown(`${named} is none of the listed addresses`)
  }
  const path = named.replace(/^\.\//u, '').replace(/#.*$/u, '')
  if (paths.includes(path)) return { kind: 'file', path }
  const called = paths.filter((known) => namesOf(known).includes(path))
  const [only, ...others] = called
  if (only === undefined) return unknown(`there is no source "${named}"`)
  return others.length === 0
    ? { kind: 'file', path: only }
    : unknown(`"${named}" may be any of ${called.slice(0, 3).join(', ')}: name its path`)
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

export async function readAddress(url: string, signal: AbortSignal): Promise<Found<string>> {
  const request = { url, method: 'GET', headers: {}, body: undefined, redirects: 'follow' } as const
  const answer = await askServer({ ...request, timeoutMs: requestTimeoutMs, maxBodyBytes }, signal)
  const notRead = (report: VerifierReport): Found<string> => ({ kind: 'not-read', report })
  switch (answer.kind) {
    case 'answered': {
      const isThere = answer.status >= 200 && answer.status < 300
      if (!isThere || answer.truncated)
        return notRead(
          undecidedReport(isThere ? `${url} is too long to be read` : `${url} answered ${answer.status}`),
        )
      const value = new TextDecoder().decode(answer.body)
      return { kind: 'read', value, evidence: [{ kind: 'note', text: `read ${url}` }] }
    }
    case 'interrupted':
      return notRead(interruptedReport())
    case 'timed-out':
      return notRead(undecidedReport(`${url} did not answer in time`, 'infrastructure'))
    case 'refused':
    case 'unreachable':
      return notRead(undecidedReport(`${url} cannot be read: ${answer.problem}`, 'infrastructure'))
  }
}

function unknown(problem: string): Resolved {
  return { kind: 'unknown', problem }
}

function isAddress(source: string): boolean {
  return /^https?:\/\//iu.test(source)
}

/** Without the place in the page. */
function addressOf(url: string): string {
  const address = new URL(url)
  address.hash = ''
  return address.href
}

function namesOf(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return [name, name.replace(/\.[^.]+$/u, '')]
}
