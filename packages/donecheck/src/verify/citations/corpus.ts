import { createHash } from 'node:crypto'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../errors.ts'
import type { Evidence, JsonValue } from '../../events/index.ts'
import type { VerifierContext, VerifierInputs, VerifierReport } from '../../ports.ts'
import { listMatching } from '../files/list-matching.ts'
import { readFile } from '../files/read-file.ts'
import { relativePath } from '../files/relative-path.ts'
import { showValue } from '../show-value.ts'
import { decoded } from '../text/read-source.ts'
import { globOf } from '../text/source.ts'
import { undecided } from '../undecided.ts'

export interface CitedDocument {
  readonly id: string
  readonly text: string
}

/**
 * A folder: every file in it is a document, by its path within the folder, with or without the last extension. A relative
 * folder lies in the work folder, where the agent can write; an absolute one may lie anywhere.
 */
export type Documents =
  | { readonly folder: string }
  | readonly CitedDocument[]
  | (() => readonly CitedDocument[] | Promise<readonly CitedDocument[]>)

export type FoundDocument =
  | { readonly kind: 'found'; readonly text: string; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'unreadable'; readonly report: VerifierReport }

export interface Corpus {
  /** Documents in it. */
  readonly size: number
  /** Whether an id names a document, without reading it. */
  has(id: string): boolean
  find(id: string): Promise<FoundDocument>
}

export type OpenedCorpus =
  | { readonly kind: 'corpus'; readonly corpus: Corpus }
  | { readonly kind: 'unreadable'; readonly report: VerifierReport }

const list = z.array(z.object({ id: z.string().min(1), text: z.string() }))

/** @throws {UsageError} for documents that are none, or share an id */
export function documentsOf(documents: Documents): Documents {
  if (typeof documents === 'function') return documents
  if ('folder' in documents) {
    if (typeof documents.folder === 'string' && isAbsolute(documents.folder)) return documents
    return { folder: relativePath(documents.folder) }
  }
  const problem = problemOf(documents)
  if (problem !== undefined)
    throw new UsageError(`the documents cannot be used: ${problem}; give { id, text } each`)
  return documents
}

/** What the documents add to the key of a remembered verdict; undefined: it cannot be said. */
export function inputsOfDocuments(
  documents: Documents,
): { readonly definition: JsonValue; readonly files: NonNullable<VerifierInputs['files']> } | undefined {
  if (typeof documents === 'function') return undefined
  if (!('folder' in documents)) {
    const content = JSON.stringify(documents.map(({ id, text }) => [id, text]))
    return { definition: createHash('sha256').update(content).digest('hex'), files: [] }
  }
  if (isAbsolute(documents.folder)) return undefined
  return { definition: { folder: documents.folder }, files: [`${globOf(documents.folder)}/**`] }
}

/** @throws whatever the function throws, and the signal's reason after an abort */
export async function openCorpus(
  documents: Documents,
  { workFolder }: VerifierContext,
  signal: AbortSignal,
): Promise<OpenedCorpus> {
  if (typeof documents === 'function') return corpusOfList(await documents())
  if (!('folder' in documents)) return corpusOfList(documents)
  const { folder } = documents
  if (isAbsolute(folder)) return corpusOfFolder(folder, '', signal)
  if (workFolder !== null) return corpusOfFolder(workFolder, folder, signal)
  return { kind: 'unreadable', report: undecided(`${folder} has no work folder to be in; give the run one`) }
}

function problemOf(documents: unknown): string | undefined {
  const parsed = list.safeParse(documents)
  if (!parsed.success) return `${showValue(documents)} is no list of { id, text }`
  const seen = new Set<string>()
  const twice = parsed.data.find(({ id }) => seen.has(id) || !seen.add(id))
  return twice === undefined ? undefined : `two of them have the id ${showValue(twice.id)}`
}

function corpusOfList(documents: readonly CitedDocument[]): OpenedCorpus {
  const problem = problemOf(documents)
  if (problem !== undefined)
    return { kind: 'unreadable', report: undecided(`the documents cannot be used: ${problem}`) }
  const texts = new Map(documents.map(({ id, text }) => [id, text]))
  const find = async (id: string): Promise<FoundDocument> => {
    const text = texts.get(id)
    if (text === undefined) return { kind: 'unknown', why: 'there is no such document' }
    return { kind: 'found', text, evidence: [] }
  }
  return { kind: 'corpus', corpus: { size: texts.size, has: (id) => texts.has(id), find } }
}

async function corpusOfFolder(root: string, below: string, signal: AbortSignal): Promise<OpenedCorpus> {
  const listing = await listMatching(join(root, below), '**', signal)
  if (listing.kind === 'unreadable')
    return { kind: 'unreadable', report: undecided(`no sources: ${listing.reason}`, 'infrastructure') }
  const { paths } = listing
  const byId = idsOf(paths)
  const find = async (id: string): Promise<FoundDocument> => {
    const [path, ...others] = byId.get(id) ?? []
    if (path === undefined) return { kind: 'unknown', why: 'there is no such document' }
    if (others.length > 0) return { kind: 'unknown', why: `it may be ${[path, ...others].join(' or ')}` }
    const seen = await readFile(root, join(below, path), signal)
    if (seen.kind === 'not-seen') return { kind: 'unreadable', report: undecided(seen.report.reason) }
    const text = decoded(seen.bytes)
    if (text !== undefined) return { kind: 'found', text, evidence: [seen.evidence] }
    return { kind: 'unreadable', report: undecided(`${path} is no UTF-8 text`) }
  }
  return { kind: 'corpus', corpus: { size: paths.length, has: (id) => byId.has(id), find } }
}

/** The whole path is an id of its own; a path without its extension may be the id of several. */
function idsOf(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, readonly string[]>()
  for (const path of paths) {
    const stem = path.replace(/(?<=[^/])\.[^./]+$/, '')
    if (stem !== path) ids.set(stem, [...(ids.get(stem) ?? []), path])
  }
  for (const path of paths) ids.set(path, [path])
  return ids
}
