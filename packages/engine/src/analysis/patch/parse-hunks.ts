import type { AddHunk, Hunk, PatchDialect, UpdateHunk } from './hunk.ts'
import { trimBoth, trimEnd } from './lines.ts'
import {
  endMarker,
  environmentMarker,
  headerOf,
  lastLineMessage,
  noNewlineMarker,
  type Header,
} from './parse-markers.ts'
import { invalidHunk, UpdateReader, type InvalidLine } from './parse-update.ts'

/** What the next line may continue. */
type Place =
  | { readonly kind: 'begin' | 'delete' | 'end' | 'last' }
  | { readonly kind: 'add'; readonly add: OpenAdd }
  | { readonly kind: 'update'; readonly update: UpdateReader }

type OpenAdd = Omit<AddHunk, 'lines'> & { readonly lines: string[]; isUnterminated?: true }

const validHeaders =
  "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'"

/** Reads the lines of a patch one by one. */
export class HunkReader {
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
