import type { ParsedPatch, PatchDialect, AddHunk, Hunk, UpdateHunk } from './hunk.ts'
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
import { invalidHunk, UpdateReader, type InvalidLine } from './parse-update.ts'

export interface ParseOptions {
  /** Default: `codex`. */
  readonly dialect?: PatchDialect
}

/** Reads a patch in the V4A form. Nothing of it is taken where a part is invalid. */
export function parsePatch(patch: string | Uint8Array, options: ParseOptions = {}): ParsedPatch {
  const decoded = typeof patch === 'string' ? { kind: 'text' as const, text: patch } : decodeUtf8(patch)
  if (decoded.kind === 'invalid') return { kind: 'invalid', message: `Invalid patch: ${decoded.problem}` }
  const frame = frameOf(decoded.text)
  if (frame.kind === 'invalid') return frame
  const reader = new HunkReader(options.dialect ?? 'codex')
  const end = frame.lines.length - 1
  for (const [index, text] of frame.lines.entries()) {
    if (index === 0) continue
    const invalid = reader.read(index === end ? endMarker : text, index + 1)
    if (invalid !== undefined) return { kind: 'invalid', ...invalid }
  }
  const { hunks, environmentId } = reader
  return { kind: 'patch', hunks, ...(environmentId === undefined ? {} : { environmentId }) }
}

type Frame =
  /** From the begin line to the end line. */
  | { readonly kind: 'frame'; readonly lines: readonly string[] }
  | { readonly kind: 'invalid'; readonly message: string }

const firstLineMessage = `Invalid patch: The first line of the patch must be '${beginMarker}'`

const heredocs: readonly string[] = ['<<EOF', "<<'EOF'", '<<"EOF"']

/** Finds the envelope; white space and one here-document around it are taken off. */
function frameOf(text: string): Frame {
  const trimmed = trimBoth(text)
  if (trimmed === '') return { kind: 'invalid', message: lastLineMessage }
  const lines = patchLinesOf(trimmed)
  const problem = problemOf(lines)
  if (problem === undefined) return { kind: 'frame', lines }
  const inner = insideHeredoc(lines)
  const innerProblem = inner === undefined ? problem : problemOf(inner)
  if (inner === undefined || innerProblem !== undefined)
    return { kind: 'invalid', message: innerProblem ?? problem }
  return { kind: 'frame', lines: inner }
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
type Place =
  | { readonly kind: 'begin' | 'delete' | 'end' | 'last' }
  | { readonly kind: 'add'; readonly add: OpenAdd }
  | { readonly kind: 'update'; readonly update: UpdateReader }

type OpenAdd = Omit<AddHunk, 'lines'> & { readonly lines: string[]; isUnterminated?: true }

const validHeaders =
  "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'"

/** Reads the lines of a patch one by one. */
class HunkReader {
  readonly #dialect: PatchDialect
  readonly #hunks: (Exclude<Hunk, UpdateHunk> | UpdateReader)[] = []
  #place: Place = { kind: 'begin' }
  #environmentId: string | undefined

  constructor(dialect: PatchDialect) {
    this.#dialect = dialect
  }

  get environmentId(): string | undefined {
    return this.#environmentId
  }

  get hunks(): readonly Hunk[] {
    return this.#hunks.map((hunk) => (hunk instanceof UpdateReader ? hunk.hunk : hunk))
  }

  /**
   * @param text without its terminator; the physically last line of a patch is given as the bare end marker
   * @param line counted from 1; line 1 is the begin marker, which is not given
   * @returns what is wrong with it; no more lines may be read then
   */
  read(text: string, line: number): InvalidLine | undefined {
    const place = this.#place
    if (place.kind === 'end' || place.kind === 'last') return this.#readAfterEnd(text)
    if (place.kind === 'update') return this.#readUpdate(place.update, text, line)
    if (place.kind === 'add' && this.#readAdded(place.add, text)) return undefined
    return this.#readBetween(trimBoth(text), line)
  }

  /** An end marker may stand before the last one, if there is nothing but white space between them. */
  #readAfterEnd(text: string): InvalidLine | undefined {
    if (trimBoth(text) === '') return undefined
    if (text !== endMarker || this.#place.kind === 'last') return { message: lastLineMessage }
    this.#place = { kind: 'last' }
    return undefined
  }

  #readUpdate(update: UpdateReader, text: string, line: number): InvalidLine | undefined {
    const bare = trimEnd(text)
    const header = headerOf(bare)
    if (header === undefined && bare !== endMarker) return update.read(text, line)
    const problem = update.close(text, line)
    if (problem !== undefined) return problem
    return this.#readBetween(bare, line)
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

  #readBetween(text: string, line: number): InvalidLine | undefined {
    if (text === endMarker) {
      this.#place = { kind: 'end' }
      return undefined
    }
    if (this.#place.kind === 'begin' && text.startsWith(environmentMarker)) return this.#readEnvironment(text)
    if (text === '' && this.#dialect === 'strict') return undefined
    const header = headerOf(text)
    if (header === undefined)
      return invalidHunk(line, `'${text}' is not a valid hunk header. ${validHeaders}`)
    this.#open(header, line)
    return undefined
  }

  #readEnvironment(text: string): InvalidLine | undefined {
    const id = trimBoth(text.slice(environmentMarker.length))
    const cannot = 'Invalid patch: apply_patch environment_id cannot be'
    if (this.#environmentId !== undefined) return { message: `${cannot} specified more than once` }
    if (id === '') return { message: `${cannot} empty` }
    this.#environmentId = id
    return undefined
  }

  #open({ kind, path }: Header, line: number): void {
    if (kind === 'update') {
      const update = new UpdateReader(path, line, this.#dialect)
      this.#hunks.push(update)
      this.#place = { kind, update }
    } else if (kind === 'add') {
      const add: OpenAdd = { kind, path, lines: [], line }
      this.#hunks.push(add)
      this.#place = { kind, add }
    } else {
      this.#hunks.push({ kind, path, line })
      this.#place = { kind }
    }
  }
}
