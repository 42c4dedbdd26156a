/** A patch in the V4A form, as it was written: what it asks for, before anybody has looked at a file. */
import { decodeUtf8, patchLinesOf, trimBoth, trimEnd } from './file-text.ts'

export type Hunk = AddHunk | DeleteHunk | UpdateHunk

export interface AddHunk {
  readonly kind: 'add'
  /** As written, and so in every hunk: relative to the folder, absolute, or with `..` in it. */
  readonly path: string
  /** Each gets a `\n`; none: an empty file. */
  readonly lines: readonly string[]
  /** The last line gets none. Dialect `strict` only. */
  readonly isUnterminated?: true
  /** Of its header in the patch, counted from 1; the begin line is line 1. */
  readonly line: number
}

interface DeleteHunk {
  readonly kind: 'delete'
  readonly path: string
  readonly line: number
}

export interface UpdateHunk {
  readonly kind: 'update'
  readonly path: string
  readonly moveTo?: string
  /** Dialect `codex`: at least one. Dialect `strict`: may be empty where it is moved. */
  readonly chunks: readonly Chunk[]
  readonly line: number
}

/** One place of a file: lines that must stand there, and what becomes of them. */
export interface Chunk {
  /** What follows `@@`, outermost first. Dialect `codex`: one at most. */
  readonly contexts: readonly PatchLine[]
  /** Never empty. */
  readonly lines: readonly ChunkLine[]
  /** `*** End of File`: the old lines must be the last ones of the file. */
  readonly isEndOfFile: boolean
  /** Of its `@@`, or of its first line where it has none. */
  readonly line: number
}

export interface PatchLine {
  /** Without its marker and terminator. */
  readonly text: string
  readonly line: number
}

export interface ChunkLine extends PatchLine {
  readonly kind: 'context' | 'removed' | 'added'
  /** `\ No newline at end of file` follows it. Dialect `strict` only. */
  readonly isUnterminated?: true
}

/** What the first character of a line in a chunk says of it. */
const lineKinds: Readonly<Record<string, ChunkLine['kind']>> = {
  ' ': 'context',
  '-': 'removed',
  '+': 'added',
}

/** What the chunk expects to find. */
export function oldLinesOf(chunk: Pick<Chunk, 'lines'>): string[] {
  return chunk.lines.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text]))
}

type ParsedPatch =
  | { readonly kind: 'patch'; readonly hunks: readonly Hunk[]; readonly environmentId?: string }
  | {
      readonly kind: 'invalid'
      /** In the words of the reference in dialect `codex`. */
      readonly message: string
      /** Where it has one. */
      readonly line?: number
    }

/**
 * `codex`: accepts and refuses exactly what the reference does. `strict`: accepts more: stacked `@@`, a rename
 * without chunks, blank lines between hunks, `@@ -1,2 +1,3 @@` as in a unified diff, `\ No newline at end of file`.
 */
type PatchDialect = 'codex' | 'strict'

const beginMarker = '*** Begin Patch'
const endMarker = '*** End Patch'
/** What is said where the patch does not end with it. */
const lastLineMessage = `Invalid patch: The last line of the patch must be '${endMarker}'`
const endOfFileMarker = '*** End of File'
const noNewlineMarker = '\\ No newline at end of file'
/** Here alone the space after the colon may be left out. */
const environmentMarker = '*** Environment ID:'

interface Header {
  readonly kind: 'add' | 'delete' | 'update'
  readonly path: string
}

const headers = { add: '*** Add File: ', delete: '*** Delete File: ', update: '*** Update File: ' } as const

/** @param line without white space around it where the place allows it */
function headerOf(line: string): Header | undefined {
  if (!line.startsWith('*** ')) return undefined
  for (const kind of ['add', 'delete', 'update'] as const) {
    const path = after(headers[kind], line)
    if (path !== undefined) return { kind, path }
  }
  return undefined
}

function moveTargetOf(line: string): string | undefined {
  return after('*** Move to: ', line)
}

/** What follows `@@ `; the empty text after a bare `@@`; undefined: no marker. */
function contextOf(line: string): string | undefined {
  return line === '@@' ? '' : after('@@ ', line)
}

/** `@@ -1,2 +3,4 @@ text`, as unified diffs have it, says no more than `@@ text`. */
function withoutRange(context: string): string {
  const range = /^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(context)?.[0]
  return range === undefined ? context : context.slice(range.length).replace(/^ /, '')
}

function after(marker: string, line: string): string | undefined {
  return line.startsWith(marker) ? line.slice(marker.length) : undefined
}

/** What is wrong with a patch, in the words of the reference where it refuses it too. Never leaves this folder. */
class PatchFault extends Error {
  /** Absent: it is of no line. */
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(message)
    this.line = line
  }
}

interface OpenLine extends PatchLine {
  readonly kind: ChunkLine['kind']
  isUnterminated?: true
}

interface OpenChunk {
  readonly contexts: PatchLine[]
  readonly lines: OpenLine[]
  isEndOfFile: boolean
  readonly line: number
}

/** An update whose lines are still being read. */
interface OpenUpdate extends UpdateHunk {
  moveTo?: string
  readonly chunks: OpenChunk[]
}

const everyLine = "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)"

/**
 * One line of those behind the header of an update, up to the next header or the end of the patch.
 * @throws PatchFault
 */
function readUpdateLine(update: OpenUpdate, text: string, line: number, dialect: PatchDialect): void {
  const bare = trimEnd(text)
  const last = update.chunks.at(-1)
  if (last === undefined && update.moveTo === undefined) {
    const moveTo = moveTargetOf(bare)
    if (moveTo !== undefined) {
      update.moveTo = moveTo
      return
    }
  }
  if (last?.isEndOfFile === true && trimBoth(text) === '') return
  const context = contextOf(bare)
  if (context !== undefined) openChunk(update, context, text, line, dialect)
  else if (last?.isEndOfFile === true) throw unexpectedLine(last, text, line)
  else if (bare === endOfFileMarker) endFile(last, line)
  else if (dialect !== 'strict' || !marksUnterminated(last, text)) {
    const kind = text === '' ? 'context' : lineKinds[text.charAt(0)]
    if (kind === undefined) throw unexpectedLine(last, text, line)
    const chunk = last ?? addChunk(update, line)
    chunk.lines.push({ kind, text: text.slice(1), line })
  }
}

/**
 * @param text of the next header, or the end marker
 * @throws PatchFault
 */
function closeUpdate(update: OpenUpdate, text: string, line: number, dialect: PatchDialect): void {
  const last = update.chunks.at(-1)
  if (last === undefined) {
    if (dialect === 'strict' && update.moveTo !== undefined) return
    throw invalidHunk(update.line, `Update file hunk for path '${update.path}' is empty`)
  }
  if (last.lines.length > 0) return
  const bare = trimEnd(text)
  throw bare === endMarker ? withoutLines(line) : unexpectedLine(last, bare, line)
}

function openChunk(
  update: OpenUpdate,
  context: string,
  text: string,
  line: number,
  dialect: PatchDialect,
): void {
  const last = update.chunks.at(-1)
  const isEmpty = last?.lines.length === 0
  if (isEmpty && dialect !== 'strict') throw unexpectedLine(last, text, line)
  const chunk = isEmpty ? last : addChunk(update, line)
  const name = dialect === 'strict' ? withoutRange(context) : context
  if (name !== '') chunk.contexts.push({ text: name, line })
}

function endFile(last: OpenChunk | undefined, line: number): void {
  if (last?.lines.length === 0) throw withoutLines(line)
  if (last !== undefined) last.isEndOfFile = true
}

function marksUnterminated(chunk: OpenChunk | undefined, text: string): boolean {
  const line = chunk?.lines.at(-1)
  if (line === undefined || text !== noNewlineMarker) return false
  line.isUnterminated = true
  return true
}

function addChunk({ chunks }: OpenUpdate, line: number): OpenChunk {
  const chunk: OpenChunk = { contexts: [], lines: [], isEndOfFile: false, line }
  chunks.push(chunk)
  return chunk
}

function invalidHunk(line: number, problem: string): PatchFault {
  return new PatchFault(`Invalid patch hunk on line ${line}: ${problem}`, line)
}

function withoutLines(line: number): PatchFault {
  return invalidHunk(line, 'Update hunk does not contain any lines')
}

function unexpectedLine(chunk: OpenChunk | undefined, text: string, line: number): PatchFault {
  if (chunk === undefined || chunk.lines.length === 0)
    return invalidHunk(line, `Unexpected line found in update hunk: '${text}'. ${everyLine}`)
  return invalidHunk(line, `Expected update hunk to start with a @@ context marker, got: '${text}'`)
}

interface ParseOptions {
  /** Default: `codex`. */
  readonly dialect?: PatchDialect
}

/** Reads a patch in the V4A form. Nothing of it is taken where a part is invalid. */
export function parsePatch(patch: string | Uint8Array, options: ParseOptions = {}): ParsedPatch {
  const decoded = typeof patch === 'string' ? { kind: 'text' as const, text: patch } : decodeUtf8(patch)
  if (decoded.kind === 'invalid') return { kind: 'invalid', message: `Invalid patch: ${decoded.problem}` }
  try {
    const { hunks, environmentId } = readHunks(linesInFrame(decoded.text), options.dialect ?? 'codex')
    return { kind: 'patch', hunks, ...(environmentId === undefined ? {} : { environmentId }) }
  } catch (error) {
    if (!(error instanceof PatchFault)) throw error
    const { message, line } = error
    return { kind: 'invalid', message, ...(line === undefined ? {} : { line }) }
  }
}

function readHunks(lines: readonly string[], dialect: PatchDialect): HunkReader {
  const reader = new HunkReader(dialect)
  const end = lines.length - 1
  for (const [index, text] of lines.entries())
    if (index > 0) reader.read(index === end ? endMarker : text, index + 1)
  return reader
}

const firstLineMessage = `Invalid patch: The first line of the patch must be '${beginMarker}'`

const heredocs: readonly string[] = ['<<EOF', "<<'EOF'", '<<"EOF"']

/** From the begin line to the end line: white space and one here-document around the envelope are taken off. */
function linesInFrame(text: string): readonly string[] {
  const trimmed = trimBoth(text)
  if (trimmed === '') throw new PatchFault(lastLineMessage)
  const lines = patchLinesOf(trimmed)
  const problem = problemOf(lines)
  if (problem === undefined) return lines
  const inner = insideHeredoc(lines)
  const innerProblem = inner === undefined ? problem : problemOf(inner)
  if (inner === undefined || innerProblem !== undefined) throw new PatchFault(innerProblem ?? problem)
  return inner
}

function problemOf(lines: readonly string[]): string | undefined {
  if (trimBoth(lines[0] ?? '') !== beginMarker) return firstLineMessage
  return trimBoth(lines.at(-1) ?? '') === endMarker ? undefined : lastLineMessage
}

function insideHeredoc(lines: readonly string[]): readonly string[] | undefined {
  const isHeredoc =
    lines.length >= 4 && heredocs.includes(lines[0] ?? '') && (lines.at(-1) ?? '').endsWith('EOF')
  return isHeredoc ? lines.slice(1, -1) : undefined
}

/** What the next line may continue. */
type Place = OpenAdd | OpenUpdate | DeleteHunk | { readonly kind: 'begin' | 'end' | 'last' }

type OpenAdd = Omit<AddHunk, 'lines'> & { readonly lines: string[]; isUnterminated?: true }

const validHeaders =
  "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'"

/** Reads the lines of a patch one by one. */
class HunkReader {
  readonly hunks: Hunk[] = []
  environmentId: string | undefined
  readonly #dialect: PatchDialect
  #place: Place = { kind: 'begin' }

  constructor(dialect: PatchDialect) {
    this.#dialect = dialect
  }

  /**
   * @param text without its terminator; the physically last line of a patch is given as the bare end marker
   * @param line counted from 1; line 1 is the begin marker, which is not given
   * @throws PatchFault
   */
  read(text: string, line: number): void {
    const place = this.#place
    if (place.kind === 'end' || place.kind === 'last') this.#readAfterEnd(text)
    else if (place.kind === 'update') this.#readUpdate(place, text, line)
    else if (place.kind !== 'add' || !this.#readAdded(place, text)) this.#readBetween(trimBoth(text), line)
  }

  /** An end marker may stand before the last one, if there is nothing but white space between them. */
  #readAfterEnd(text: string): void {
    if (trimBoth(text) === '') return
    if (text !== endMarker || this.#place.kind === 'last') throw new PatchFault(lastLineMessage)
    this.#place = { kind: 'last' }
  }

  #readUpdate(update: OpenUpdate, text: string, line: number): void {
    const bare = trimEnd(text)
    if (headerOf(bare) === undefined && bare !== endMarker) {
      readUpdateLine(update, text, line, this.#dialect)
      return
    }
    closeUpdate(update, text, line, this.#dialect)
    this.#readBetween(bare, line)
  }

  /** @returns false: it is no line of the file */
  #readAdded(add: OpenAdd, text: string): boolean {
    if (text.startsWith('+')) {
      add.lines.push(text.slice(1))
      delete add.isUnterminated
      return true
    }
    const isMark = this.#dialect === 'strict' && text === noNewlineMarker && add.lines.length > 0
    if (isMark) add.isUnterminated = true
    return isMark
  }

  #readBetween(text: string, line: number): void {
    const header = headerOf(text)
    if (text === endMarker) this.#place = { kind: 'end' }
    else if (this.#place.kind === 'begin' && text.startsWith(environmentMarker)) this.#readEnvironment(text)
    else if (header !== undefined) this.#open(header, line)
    else if (text !== '' || this.#dialect !== 'strict')
      throw invalidHunk(line, `'${text}' is not a valid hunk header. ${validHeaders}`)
  }

  #readEnvironment(text: string): void {
    const id = trimBoth(text.slice(environmentMarker.length))
    const cannot = 'Invalid patch: apply_patch environment_id cannot be'
    if (this.environmentId !== undefined) throw new PatchFault(`${cannot} specified more than once`)
    if (id === '') throw new PatchFault(`${cannot} empty`)
    this.environmentId = id
  }

  #open(header: Header, line: number): void {
    const hunk = openHunk(header, line)
    this.hunks.push(hunk)
    this.#place = hunk
  }
}

function openHunk({ kind, path }: Header, line: number): OpenAdd | OpenUpdate | DeleteHunk {
  switch (kind) {
    case 'add':
      return { kind, path, lines: [], line }
    case 'update':
      return { kind, path, chunks: [], line }
    case 'delete':
      return { kind, path, line }
  }
}
