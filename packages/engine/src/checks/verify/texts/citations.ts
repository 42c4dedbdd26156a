import type { Evidence } from '@donecheck/core/internal/events/verdicts'
import { z } from 'zod'
import { UsageError } from '../../../base/index.ts'
import type { Verifier, VerifierResult } from '../../../ports/checks.ts'
import {
  failedReport,
  listEvidence,
  passedReport,
  quoteText,
  showValue,
  unanswerable,
  undecidedResult,
  type Found,
} from '../reports/reports.ts'
import { readOptions } from '../reports/verifier-of.ts'
import { listMatching, relativePath } from '../work-tree/files.ts'
import { ofText, readTextFile, sourceCheck, sourceOptions } from './source.ts'

const citationsOptions = sourceOptions.extend({
  /** Globs of citable files, relative to the work folder. */
  sources: z.array(z.string()).min(1, 'must name the files that may be cited'),
  /** `needed` (default): every claim must quote a source. `optional`: quotes must exist. */
  quotes: z.enum(['needed', 'optional']).optional(),
})
type CitationsOptions = Readonly<z.infer<typeof citationsOptions>>

type ReadSource = (path: string) => Promise<Found<string>>

/**
 * Every claim names a listed source and quotes its words. A claim is a list item, or a line with `[source:
 * a.md]` or a link. Unsupported or no claims: `failed`. Missing sources: `error`. Does not prove meaning;
 * protect the sources.
 * @throws {UsageError} for no sources or an invalid glob
 */
export function citations(given: CitationsOptions): Verifier {
  const options = readOptions(citationsOptions, given, 'citations')
  const address = options.sources.find((one) => /^https?:\/\//iu.test(one))
  if (address !== undefined)
    throw new UsageError(
      `the source ${showValue(address)} is a web address; save the page in the work folder, and give its path`,
    )
  const globs = options.sources.map((glob) => relativePath(glob))
  return sourceCheck({
    title: 'citations',
    options,
    traits: { reads: 'workspace', looksAt: 'checked-tree' },
    judge: ofText(async (text, label, { context: { workFolder }, signal }) => {
      const claims = claimsIn(text)
      const corpus = await listCorpus(globs, workFolder, signal)
      if ('status' in corpus) return corpus
      if (claims.length === 0) return failedReport(`${label} makes no claim that names a source`)
      const known = new Map<string, Promise<Found<string>>>()
      const readOnce: ReadSource = (path) => {
        const source = known.get(path) ?? readTextFile(workFolder, path, signal)
        known.set(path, source)
        return source
      }
      return judgeClaims(claims, corpus, readOnce, options.quotes ?? 'needed')
    }),
  })
}

async function judgeClaims(
  claims: readonly Claim[],
  corpus: readonly string[],
  read: ReadSource,
  quotes: 'needed' | 'optional',
): Promise<VerifierResult> {
  const problems: string[] = []
  const seen = new Map<string, Evidence>()
  for (const claim of claims) {
    const resolved = claim.sources.map((named) => resolveSource(named, corpus))
    const texts: string[] = []
    for (const one of resolved) {
      if (one.kind === 'unknown') continue
      const text = await read(one.path)
      // Unreadable text may contain the words.
      if (text.kind === 'not-read') return { ...text.report, status: 'error' }
      for (const found of text.evidence) seen.set(JSON.stringify(found), found)
      texts.push(plainWords(text.value))
    }
    problems.push(
      ...problemsOf(claim, resolved, texts, quotes).map((problem) => `line ${claim.line}: ${problem}`),
    )
  }
  const [first, ...more] = problems
  if (first === undefined)
    return passedReport(`${claims.length} claims are found in ${seen.size} sources`, ...seen.values())
  const words = more.length > 0 ? `, and ${more.length} more` : ''
  return failedReport(`${first}${words}`, ...seen.values(), ...listEvidence(problems))
}

function problemsOf(
  claim: Claim,
  resolved: readonly Resolved[],
  plain: readonly string[],
  quotes: 'needed' | 'optional',
): readonly string[] {
  const text = quoteText(claim.text)
  if (claim.sources.length === 0) return [`the claim ${text} names no source`]
  const unknown = resolved.flatMap((one) => (one.kind === 'unknown' ? [one.problem] : []))
  if (unknown.length > 0) return unknown
  if (claim.quotes.length === 0 && quotes === 'needed')
    return [`the claim ${text} quotes nothing of its source`]
  return claim.quotes
    .filter((quote) => !plain.some((source) => source.includes(plainWords(quote))))
    .map((quote) => `${quoteText(quote)} does not stand in ${claim.sources.join(', ')}`)
}

interface Claim {
  /** From 1. */
  readonly line: number
  readonly text: string
  /** As written, without duplicates. */
  readonly sources: readonly string[]
  readonly quotes: readonly string[]
}

/** `[source: a, b]`, possibly several. */
const sourceMark = /\[sources?:\s*([^\]]*)\]/giu
const linkMark = /\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|<(https?:\/\/[^>\s]+)>/giu
const listItem = /^\s*(?:[-*+]|\d+[.)])\s+\S/u
const fence = /^\s*(?:```|~~~)/u
const quoted = /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/gu

/** List items, and other lines that name a source, outside fenced blocks. */
function claimsIn(text: string): readonly Claim[] {
  const claims: Claim[] = []
  let isFenced = false
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    if (fence.test(line)) isFenced = !isFenced
    else if (!isFenced) {
      const sources = sourcesOf(line)
      if (sources.length > 0 || listItem.test(line))
        claims.push({ line: index + 1, text: line.trim(), sources, quotes: quotesOf(line) })
    }
  }
  return claims
}

function sourcesOf(line: string): readonly string[] {
  const marked = [...line.matchAll(sourceMark)].flatMap(([, list = '']) => list.split(/[,;]\s*|\s+/u))
  const linked = [...line.matchAll(linkMark)].map(([, target = '', bare = '']) => target || bare)
  return [...new Set([...marked, ...linked].map((one) => one.trim()).filter((one) => one !== ''))]
}

/** Ignores source marks and link targets. */
function quotesOf(line: string): readonly string[] {
  const words = line.replace(sourceMark, ' ').replace(/\]\([^)]*\)/gu, ']')
  return [...words.matchAll(quoted)]
    .map(([marked]) => marked.slice(1, -1).trim())
    .filter((quote) => quote !== '')
}

/** Ignores white space and typographic variants. */
function plainWords(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[“”„«»]/gu, '"')
    .replace(/[‘’‚]/gu, "'")
    .replace(/[‐‑–—]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim()
}

const maxFiles = 10_000

/** Returns the citable paths. An empty list is `error`. */
async function listCorpus(
  globs: readonly string[],
  workFolder: string | null,
  signal: AbortSignal,
): Promise<readonly string[] | VerifierResult> {
  if (workFolder === null)
    return unanswerable(`${globs.join(', ')}: there is no work folder; give the run one`, 'unverifiable')
  const paths = new Set<string>()
  for (const glob of globs) {
    const listing = await listMatching(workFolder, glob, signal)
    if (listing.kind === 'unreadable') return undecidedResult(listing.reason)
    for (const path of listing.paths) paths.add(path)
  }
  if (paths.size > maxFiles) return undecidedResult(`there are more than ${maxFiles} sources; name fewer`)
  if (paths.size === 0) return undecidedResult(`there is no source: nothing matches ${globs.join(', ')}`)
  return [...paths]
}

type Resolved =
  { readonly kind: 'file'; readonly path: string } | { readonly kind: 'unknown'; readonly problem: string }

/** By path, or by unique file name with or without extension. */
function resolveSource(named: string, paths: readonly string[]): Resolved {
  const path = named.replace(/^\.\//u, '').replace(/#.*$/u, '')
  if (paths.includes(path)) return { kind: 'file', path }
  const called = paths.filter((known) => {
    const name = known.slice(known.lastIndexOf('/') + 1)
    return path === name || path === name.replace(/\.[^.]+$/u, '')
  })
  const [only, ...others] = called
  if (only === undefined) return { kind: 'unknown', problem: `there is no source "${named}"` }
  if (others.length === 0) return { kind: 'file', path: only }
  const problem = `"${named}" may be any of ${called.slice(0, 3).join(', ')}: name its path`
  return { kind: 'unknown', problem }
}
