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

/** An update whose lines are still being read. */
export interface OpenUpdate extends UpdateHunk {
  moveTo?: string
  readonly chunks: OpenChunk[]
}

const everyLine = "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)"

/**
 * One line of those behind the header of an update, up to the next header or the end of the patch.
 * @throws PatchFault
 */
export function readUpdateLine(update: OpenUpdate, text: string, line: number, dialect: PatchDialect): void {
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
export function closeUpdate(update: OpenUpdate, text: string, line: number, dialect: PatchDialect): void {
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
