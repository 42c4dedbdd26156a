import type { AddHunk, DeleteHunk, Hunk, ParsedPatch, PatchDialect } from './hunk.ts'
import {
  beginMarker,
  endMarker,
  lastLineMessage,
  environmentMarker,
  headerOf,
  noNewlineMarker,
  type Header,
} from './parse-markers.ts'
import { decodeUtf8 } from './utf8.ts'
import { patchLinesOf, trimBoth, trimEnd } from './lines.ts'
import { closeUpdate, invalidHunk, PatchFault, readUpdateLine, type OpenUpdate } from './parse-update.ts'

export interface ParseOptions {
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
