import { lineKinds, type ChunkLine, type PatchDialect, type PatchLine, type UpdateHunk } from './hunk.ts'
import { trimBoth, trimEnd } from './lines.ts'
import {
  contextOf,
  endMarker,
  endOfFileMarker,
  moveTargetOf,
  noNewlineMarker,
  withoutRange,
} from './parse-markers.ts'

export interface InvalidLine {
  /** In the words of the reference, where it refuses the line too. */
  readonly message: string
  readonly line?: number
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

const everyLine = "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)"

/** Reads what follows the header of an update, up to the next header or the end of the patch. */
export class UpdateReader {
  readonly #path: string
  readonly #line: number
  readonly #dialect: PatchDialect
  readonly #chunks: OpenChunk[] = []
  #moveTo: string | undefined

  constructor(path: string, line: number, dialect: PatchDialect) {
    this.#path = path
    this.#line = line
    this.#dialect = dialect
  }

  get hunk(): UpdateHunk {
    const moved = this.#moveTo === undefined ? {} : { moveTo: this.#moveTo }
    return { kind: 'update', path: this.#path, ...moved, chunks: this.#chunks, line: this.#line }
  }

  read(text: string, line: number): InvalidLine | undefined {
    const bare = trimEnd(text)
    const last = this.#chunks.at(-1)
    if (last === undefined && this.#moveTo === undefined) {
      this.#moveTo = moveTargetOf(bare)
      if (this.#moveTo !== undefined) return undefined
    }
    if (last?.isEndOfFile === true && trimBoth(text) === '') return undefined
    const context = contextOf(bare)
    if (context !== undefined) return this.#openChunk(context, text, line)
    if (last?.isEndOfFile === true) return unexpectedLine(last, text, line)
    if (bare === endOfFileMarker) return this.#endFile(last, line)
    if (this.#isMarkedUnterminated(last, text)) return undefined
    const kind = text === '' ? 'context' : lineKinds[text.charAt(0)]
    if (kind === undefined) return unexpectedLine(last, text, line)
    const chunk = last ?? this.#addChunk(line)
    chunk.lines.push({ kind, text: text.slice(1), line })
    return undefined
  }

  /** @param text of the next header, or the end marker */
  close(text: string, line: number): InvalidLine | undefined {
    const last = this.#chunks.at(-1)
    if (last === undefined) {
      if (this.#dialect === 'strict' && this.#moveTo !== undefined) return undefined
      return invalidHunk(this.#line, `Update file hunk for path '${this.#path}' is empty`)
    }
    if (last.lines.length > 0) return undefined
    const bare = trimEnd(text)
    return bare === endMarker ? withoutLines(line) : unexpectedLine(last, bare, line)
  }

  #openChunk(context: string, text: string, line: number): InvalidLine | undefined {
    const isStrict = this.#dialect === 'strict'
    const last = this.#chunks.at(-1)
    const isEmpty = last?.lines.length === 0
    if (isEmpty && !isStrict) return unexpectedLine(last, text, line)
    const chunk = isEmpty ? last : this.#addChunk(line)
    const name = isStrict ? withoutRange(context) : context
    if (name !== '') chunk.contexts.push({ text: name, line })
    return undefined
  }

  #endFile(last: OpenChunk | undefined, line: number): InvalidLine | undefined {
    if (last?.lines.length === 0) return withoutLines(line)
    if (last !== undefined) last.isEndOfFile = true
    return undefined
  }

  #isMarkedUnterminated(chunk: OpenChunk | undefined, text: string): boolean {
    const line = chunk?.lines.at(-1)
    if (line === undefined || text !== noNewlineMarker || this.#dialect !== 'strict') return false
    line.isUnterminated = true
    return true
  }

  #addChunk(line: number): OpenChunk {
    const chunk: OpenChunk = { contexts: [], lines: [], isEndOfFile: false, line }
    this.#chunks.push(chunk)
    return chunk
  }
}

export function invalidHunk(line: number, problem: string): InvalidLine {
  return { message: `Invalid patch hunk on line ${line}: ${problem}`, line }
}

function withoutLines(line: number): InvalidLine {
  return invalidHunk(line, 'Update hunk does not contain any lines')
}

function unexpectedLine(chunk: OpenChunk | undefined, text: string, line: number): InvalidLine {
  if (chunk === undefined || chunk.lines.length === 0)
    return invalidHunk(line, `Unexpected line found in update hunk: '${text}'. ${everyLine}`)
  return invalidHunk(line, `Expected update hunk to start with a @@ context marker, got: '${text}'`)
}
