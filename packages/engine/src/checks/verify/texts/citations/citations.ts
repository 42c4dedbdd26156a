import type { Evidence } from '@donecheck/core/verdicts'
import { UsageError, assertKnownKeys, type OptionKeys } from '../../../../base/index.ts'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { verifierBy, type UserVerifier } from '../../reports/verifier-of.ts'
import {
  showValue,
  failedReport,
  listEvidence,
  passedReport,
  quoteText,
  type Found,
} from '../../reports/reports.ts'
import { readText, showSource, sourceOf, type SourceOptions, sourceKeys } from '../text/source.ts'
import { claimsIn, placeOfWords, plainWords, type Claim } from './claims.ts'
import { corpusGlobs, listCorpus, readCorpusFile, resolveSource, type Resolved } from './corpus.ts'

export interface CitationsOptions extends SourceOptions {
  /** The files that may be cited: globs relative to the work folder. */
  readonly sources: readonly string[]
  /** `needed` (default): every claim quotes words of a source. `optional`: only what is quoted must stand there. */
  readonly quotes?: 'needed' | 'optional'
}

const citationsKeys: OptionKeys<CitationsOptions> = { ...sourceKeys, sources: 'needed', quotes: true }

const quoteChoices: readonly unknown[] = ['needed', 'optional']

type ReadSource = (path: string) => Promise<Found<string>>

/**
 * Every claim names a source that is listed, and the words that it quotes stand in one of its sources. A claim is a list item
 * or a line that names a source, as `[source: notes/a.md, b]`, as a link or as `<https://…>`; white space and the forms of
 * quotation marks do not count. It proves that the words are there, not that they mean what is made of them. Sources that
 * the drive may write prove nothing: protect them. A pass says where each quotation stands, as `notes/a.md:3:5-3:28`.
 *
 * A claim without a source, an unknown source, words that stand nowhere, and a text without any claim: `failed`, with the
 * lines. An empty corpus, and a source that cannot be read: `error`. Never remembered.
 * @throws {UsageError} for no sources, or one that is no glob of the work folder
 */
export function citations(options: CitationsOptions): Verifier {
  assertKnownKeys(options, citationsKeys, 'citations')
  const globs = corpusGlobs(options.sources)
  const { quotes = 'needed' } = options
  if (!quoteChoices.some((choice) => choice === quotes))
    throw new UsageError(`quotes is ${showValue(quotes)}; give "needed" or "optional"`)
  const source = sourceOf(options.source)
  const ask: UserVerifier = async (context, signal) => {
    const corpus = await listCorpus(globs, context.workFolder, signal)
    if ('status' in corpus) return corpus
    const read = await readText(source, context, signal)
    if (read.kind === 'not-read') return read.report
    const claims = claimsIn(read.value)
    if (claims.length === 0)
      return failedReport(`${showSource(source)} makes no claim that names a source`, ...read.evidence)
    const known = new Map<string, Promise<Found<string>>>()
    const readOnce: ReadSource = (path) => {
      const text = known.get(path) ?? readCorpusFile(context.workFolder, path, signal)
      known.set(path, text)
      return text
    }
    return judgeClaims(claims, corpus, readOnce, { quotes, evidence: read.evidence })
  }
  const name = options.name ?? `citations, in ${showSource(source)}`
  return verifierBy(name, ask, { ...options, reads: 'workspace' })
}

async function judgeClaims(
  claims: readonly Claim[],
  corpus: readonly string[],
  read: ReadSource,
  { quotes, evidence }: { readonly quotes: 'needed' | 'optional'; readonly evidence: readonly Evidence[] },
): Promise<VerifierReport> {
  const problems: string[] = []
  const places: string[] = []
  const seen = new Map<string, Evidence>()
  for (const claim of claims) {
    const resolved = claim.sources.map((named) => resolveSource(named, corpus))
    const texts: SourceWords[] = []
    for (const one of resolved) {
      if (one.kind === 'unknown') continue
      const text = await read(one.path)
      if (text.kind === 'not-read')
        return { ...text.report, evidence: [...evidence, ...text.report.evidence] }
      for (const found of text.evidence) seen.set(JSON.stringify(found), found)
      texts.push({ name: one.path, text: text.value })
    }
    places.push(...claim.quotes.flatMap((quote) => placesOf(quote, texts)))
    problems.push(
      ...problemsOf(claim, resolved, texts, quotes).map((problem) => `line ${claim.line}: ${problem}`),
    )
  }
  const all = [...evidence, ...seen.values()]
  if (problems.length === 0)
    return passedReport(
      `${claims.length} claims are found in ${seen.size} sources`,
      ...all,
      ...listEvidence(places),
    )
  const [first = ''] = problems
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
  return failedReport(`${first}${more}`, ...all, ...listEvidence(problems))
}

interface SourceWords {
  readonly name: string
  readonly text: string
}

function placesOf(quote: string, texts: readonly SourceWords[]): readonly string[] {
  return texts.flatMap(({ name, text }) => {
    const place = placeOfWords(text, quote)
    return place === undefined ? [] : [`${quoteText(quote)} stands in ${name}:${place}`]
  })
}

function problemsOf(
  claim: Claim,
  resolved: readonly Resolved[],
  texts: readonly SourceWords[],
  quotes: 'needed' | 'optional',
): readonly string[] {
  const text = quoteText(claim.text)
  if (claim.sources.length === 0) return [`the claim ${text} names no source`]
  const unknown = resolved.flatMap((one) => (one.kind === 'unknown' ? [one.problem] : []))
  if (unknown.length > 0) return unknown
  if (claim.quotes.length === 0 && quotes === 'needed')
    return [`the claim ${text} quotes nothing of its source`]
  const plain = texts.map(({ text }) => plainWords(text))
  return claim.quotes
    .filter((quote) => !plain.some((source) => source.includes(plainWords(quote))))
    .map((quote) => `${quoteText(quote)} does not stand in ${claim.sources.join(', ')}`)
}
