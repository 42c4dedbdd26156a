import { UsageError } from '../../errors.ts'
import type { Evidence, JsonValue } from '../../events/index.ts'
import type { Verifier, VerifierInputs, VerifierReport } from '../../ports.ts'
import { readText } from '../text/read-source.ts'
import { failed, listed, passed, quoted } from '../text/report.ts'
import {
  matchTimeoutOf,
  nameOf,
  tooSlow,
  type SourceCheckOptions,
  sourceCheckKeys,
} from '../text/source-check.ts'
import { inputsOf, readsOf, showSource, sourceOf, type TextSource } from '../text/source.ts'
import { withinTime } from '../text/within-time.ts'
import { undecided } from '../undecided.ts'
import { verifierBy, type UserVerifier } from '../verifier-of.ts'
import { documentsOf, inputsOfDocuments, openCorpus, type Corpus, type Documents } from './corpus.ts'
import { citationPattern, defaultPattern, findCitations, type Citation } from './find-citations.ts'
import { standsIn } from './stands-in.ts'
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'

export interface CitationsOptions extends SourceCheckOptions {
  readonly documents: Documents
  /** With a group `id`, and `quote` where it takes in the quotation. Default: `[source: id]`, also of several ids. */
  readonly pattern?: RegExp
  /**
   * `checked` (default): a quotation must stand in one of the documents cited for it. `required`: every citation must
   * have one. `ignored`: only the ids count.
   */
  readonly quotes?: 'checked' | 'required' | 'ignored'
  /** Shorter ones are words in quotation marks, no quotations. Default 3. */
  readonly minQuoteWords?: number
  /** Citations that there must be. Default 1. */
  readonly atLeast?: number
}

const citationsKeys: OptionKeys<CitationsOptions> = {
  ...sourceCheckKeys,
  documents: 'needed',
  pattern: true,
  quotes: true,
  minQuoteWords: true,
  atLeast: true,
}

type Settings = Required<Pick<CitationsOptions, 'quotes' | 'minQuoteWords' | 'atLeast'>> & {
  readonly pattern: RegExp
  readonly matchTimeoutMs: number
}

/**
 * Every cited id is a document that exists, and what is quoted stands in it. Reads one source (the answer by default) and
 * the documents. No documents at all is `error` for want of sources; so is a cited document that cannot be read. That the
 * document supports what is said is not proven.
 * @throws {UsageError} for a pattern without a group `id`, documents that are none, or a number that is none
 */
export function citationsResolve(options: CitationsOptions): Verifier {
  assertKnownKeys(options, citationsKeys, 'citationsResolve')
  const settings = settingsOf(options)
  const documents = documentsOf(options.documents)
  const source = sourceOf(options.source)
  const ask: UserVerifier = async (context, signal) => {
    const read = await readText(source, context, signal)
    if (read.kind === 'not-read') return read.report
    const opened = await openCorpus(documents, context, signal)
    if (opened.kind === 'unreadable') return opened.report
    const { corpus } = opened
    if (corpus.size === 0)
      return undecided('no sources: there is no document that could be cited', 'infrastructure')
    const { pattern, minQuoteWords, matchTimeoutMs } = settings
    const found = withinTime(matchTimeoutMs, () =>
      findCitations(read.text, pattern, minQuoteWords, (id) => corpus.has(id)),
    )
    if (found.kind === 'timed-out') return tooSlow('citations', matchTimeoutMs)
    const report = await judge(found.value, corpus, settings, showSource(source))
    return { ...report, evidence: [...read.evidence, ...report.evidence] }
  }
  const inputs = inputsOfCitations(source, documents, settings)
  return {
    ...verifierBy(nameOf('citations resolve', source, options), ask, {
      ...options,
      looksAt: 'work-folder',
      reads: readsOf(source),
    }),
    ...(inputs === undefined ? {} : { inputs }),
  }
}

function settingsOf(options: CitationsOptions): Settings {
  const { pattern = defaultPattern, quotes = 'checked', minQuoteWords = 3, atLeast = 1 } = options
  if (!['checked', 'required', 'ignored'].includes(quotes))
    throw new UsageError(`quotes is "${quotes}"; give "checked", "required" or "ignored"`)
  if (!Number.isInteger(minQuoteWords) || minQuoteWords < 1)
    throw new UsageError(`minQuoteWords is ${minQuoteWords}; give a whole number, 1 or more`)
  if (!Number.isInteger(atLeast) || atLeast < 0)
    throw new UsageError(`atLeast is ${atLeast}; give a whole number of citations, 0 or more`)
  const matchTimeoutMs = matchTimeoutOf(options)
  return { pattern: citationPattern(pattern), quotes, minQuoteWords, atLeast, matchTimeoutMs }
}

function inputsOfCitations(
  source: TextSource,
  documents: Documents,
  { pattern, quotes, minQuoteWords, atLeast }: Settings,
): VerifierInputs | undefined {
  const corpus = inputsOfDocuments(documents)
  if (corpus === undefined) return undefined
  const definition: JsonValue = {
    kind: 'citationsResolve',
    pattern: { source: pattern.source, flags: pattern.flags },
    documents: corpus.definition,
    quotes,
    minQuoteWords,
    atLeast,
  }
  const inputs = inputsOf(source, definition)
  return inputs === undefined ? undefined : { ...inputs, files: [...(inputs.files ?? []), ...corpus.files] }
}

async function judge(
  citations: readonly Citation[],
  corpus: Corpus,
  settings: Settings,
  label: string,
): Promise<VerifierReport> {
  const { atLeast } = settings
  if (citations.length < atLeast)
    return failed(`${label} has ${citations.length} citations; wanted: at least ${atLeast}`)
  const looked = await lookUp(citations, corpus)
  if (looked.kind === 'unreadable') return looked.report
  const { problems: unknown, texts, evidence } = looked
  const misquoted = withinTime(settings.matchTimeoutMs, () =>
    citations.flatMap((citation) => quoteProblems(citation, texts, settings)),
  )
  if (misquoted.kind === 'timed-out') return tooSlow('quotations', settings.matchTimeoutMs)
  const problems = [...unknown, ...misquoted.value]
  const files = evidence.slice(0, 50)
  const [first, ...more] = problems
  if (first === undefined) return passed(`all ${citations.length} citations of ${label} resolve`, ...files)
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return failed(
    `${label} has a citation that does not resolve: ${first}${others}`,
    ...listed(problems),
    ...files,
  )
}

type LookedUp =
  | { readonly kind: 'unreadable'; readonly report: VerifierReport }
  | {
      readonly kind: 'looked-up'
      readonly problems: readonly string[]
      /** By id; of documents that exist. */
      readonly texts: ReadonlyMap<string, string>
      readonly evidence: readonly Evidence[]
    }

async function lookUp(citations: readonly Citation[], corpus: Corpus): Promise<LookedUp> {
  const problems: string[] = []
  const texts = new Map<string, string>()
  const evidence: Evidence[] = []
  for (const { ids, line } of citations) {
    for (const id of ids.filter((one) => !texts.has(one))) {
      const found = await corpus.find(id)
      if (found.kind === 'unreadable') return found
      if (found.kind === 'unknown') problems.push(`line ${line}: ${quoted(id)}: ${found.why}`)
      else {
        texts.set(id, found.text)
        evidence.push(...found.evidence)
      }
    }
  }
  return { kind: 'looked-up', problems, texts, evidence }
}

function quoteProblems(
  { ids, quotes, line }: Citation,
  texts: ReadonlyMap<string, string>,
  settings: Settings,
): readonly string[] {
  if (settings.quotes === 'ignored') return []
  const cited = ids.map((id) => quoted(id)).join(', ')
  if (quotes.length === 0)
    return settings.quotes === 'required' ? [`line ${line}: nothing is quoted from ${cited}`] : []
  return quotes
    .filter((quote) => !ids.some((id) => standsIn(quote, texts.get(id) ?? '')))
    .map((quote) => `line ${line}: ${quoted(quote)} does not stand in ${cited}`)
}
