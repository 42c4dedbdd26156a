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

/** What is wrong with a patch, in the words of the reference where it refuses it too. Never leaves this folder. */
export class PatchFault extends Error {
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

  /** @throws PatchFault */
  read(text: string, line: number): void {
    const bare = trimEnd(text)
    const last = this.#chunks.at(-1)
    if (last === undefined && this.#moveTo === undefined) {
      this.#moveTo = moveTargetOf(bare)
      if (this.#moveTo !== undefined) return
    }
    if (last?.isEndOfFile === true && trimBoth(text) === '') return
    const context = contextOf(bare)
    if (context !== undefined) this.#openChunk(context, text, line)
    else if (last?.isEndOfFile === true) throw unexpectedLine(last, text, line)
    else if (bare === endOfFileMarker) this.#endFile(last, line)
    else if (!this.#isMarkedUnterminated(last, text)) {
      const kind = text === '' ? 'context' : lineKinds[text.charAt(0)]
      if (kind === undefined) throw unexpectedLine(last, text, line)
      const chunk = last ?? this.#addChunk(line)
      chunk.lines.push({ kind, text: text.slice(1), line })
    }
  }

  /**
   * @param text of the next header, or the end marker
   * @throws PatchFault
   */
  close(text: string, line: number): void {
    const last = this.#chunks.at(-1)
    if (last === undefined) {
      if (this.#dialect === 'strict' && this.#moveTo !== undefined) return
      throw invalidHunk(this.#line, `Update file hunk for path '${this.#path}' is empty`)
    }
    if (last.lines.length > 0) return
    const bare = trimEnd(text)
    throw bare === endMarker ? withoutLines(line) : unexpectedLine(last, bare, line)
  }

  #openChunk(context: string, text: string, line: number): void {
    const isStrict = this.#dialect === 'strict'
    const last = this.#chunks.at(-1)
    const isEmpty = last?.lines.length === 0
    if (isEmpty && !isStrict) throw unexpectedLine(last, text, line)
    const chunk = isEmpty ? last : this.#addChunk(line)
    const name = isStrict ? withoutRange(context) : context
    if (name !== '') chunk.contexts.push({ text: name, line })
  }

  #endFile(last: OpenChunk | undefined, line: number): void {
    if (last?.lines.length === 0) throw withoutLines(line)
    if (last !== undefined) last.isEndOfFile = true
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

export function invalidHunk(line: number, problem: string): PatchFault {
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
