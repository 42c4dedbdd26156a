/** A parsed V4A patch, before any file is read. */

export type Hunk = AddHunk | DeleteHunk | UpdateHunk

export interface AddHunk {
  readonly kind: 'add'
  /** As written: relative, absolute or with `..`. */
  readonly path: string
  /** Each line gets a `\n`; an empty list makes an empty file. */
  readonly lines: readonly string[]
  /** Line of the header in the patch, from 1. */
  readonly line: number
}

interface DeleteHunk {
  readonly kind: 'delete'
  readonly path: string
  readonly line: number
}

interface UpdateHunk {
  readonly kind: 'update'
  readonly path: string
  readonly moveTo?: string
  /** May be empty if the file is moved. */
  readonly chunks: readonly Chunk[]
  readonly line: number
}

/** Lines expected at one location of a file, and their replacement. */
export interface Chunk {
  /** Text after each `@@`, outermost first. */
  readonly contexts: readonly PatchLine[]
  /** Never empty. */
  readonly lines: readonly ChunkLine[]
  /** `*** End of File`: the old lines must end the file. */
  readonly isEndOfFile: boolean
  readonly line: number
}

export interface PatchLine {
  readonly text: string
  readonly line: number
}

export interface ChunkLine extends PatchLine {
  readonly kind: 'context' | 'removed' | 'added'
}

export function oldLinesOf(chunk: Pick<Chunk, 'lines'>): string[] {
  return chunk.lines.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text]))
}

type ParsedPatch =
  | { readonly kind: 'patch'; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'invalid'; readonly message: string; readonly line?: number }

const beginMarker = '*** Begin Patch'
const endMarker = '*** End Patch'
const noNewlineMarker = '\\ No newline at end of file'

const messages = {
  firstLine: `Invalid patch: The first line of the patch must be '${beginMarker}'`,
  lastLine: `Invalid patch: The last line of the patch must be '${endMarker}'`,
  validHeaders:
    "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'",
  everyLine: "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)",
}

/** A parse error, worded as Codex words it. Never leaves this file. */
class PatchFault extends Error {
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(message)
    this.line = line
  }
}

function invalidHunk(line: number, problem: string): PatchFault {
  return new PatchFault(`Invalid patch hunk on line ${line}: ${problem}`, line)
}

interface OpenChunk extends Chunk {
  readonly contexts: PatchLine[]
  readonly lines: ChunkLine[]
  isEndOfFile: boolean
}

interface OpenUpdate extends UpdateHunk {
  moveTo?: string
  readonly chunks: OpenChunk[]
}

type OpenAdd = AddHunk & { readonly lines: string[] }
type OpenHunk = OpenAdd | DeleteHunk | OpenUpdate

/** Parses a V4A patch as models write it. One invalid part makes the whole patch invalid. */
export function parsePatch(patch: string): ParsedPatch {
  try {
    return { kind: 'patch', hunks: readHunks(linesInFrame(patch)) }
  } catch (error) {
    if (!(error instanceof PatchFault)) throw error
    const { message, line } = error
    return { kind: 'invalid', message, ...(line === undefined ? {} : { line }) }
  }
}

/** Returns the lines from begin to end marker, without surrounding white space and one heredoc wrapper. */
function linesInFrame(text: string): readonly string[] {
  const lines = text.trim().split(/\r*\n/)
  const isHeredoc = /^<<(['"]?)EOF\1$/.test(lines[0] ?? '') && lines.at(-1)?.endsWith('EOF') === true
  const framed = isHeredoc ? lines.slice(1, -1) : lines
  if (text.trim() === '') throw new PatchFault(messages.lastLine)
  if (framed[0]?.trim() !== beginMarker) throw new PatchFault(messages.firstLine)
  if (framed.length < 2 || framed.at(-1)?.trim() !== endMarker) throw new PatchFault(messages.lastLine)
  return framed
}

function readHunks(lines: readonly string[]): readonly Hunk[] {
  const hunks: OpenHunk[] = []
  let isEnded = false
  for (const [index, text] of lines.entries()) {
    const line = index + 1
    const isLast = line === lines.length
    if (index === 0) continue
    const open = hunks.at(-1)
    if (isEnded) {
      if (text.trim() !== '' && text.trim() !== endMarker) throw new PatchFault(messages.lastLine)
    } else if (isLast || !takesLine(open, text, line)) {
      const bare = isLast ? endMarker : open?.kind === 'update' ? text.trimEnd() : text.trim()
      if (open?.kind === 'update') closeUpdate(open, bare, line)
      isEnded = bare === endMarker
      const isEnvironment = open === undefined && bare.startsWith('*** Environment ID:')
      if (!isEnded && bare !== '' && !isEnvironment) hunks.push(openHunk(bare, line))
    }
  }
  return hunks
}

/** Adds a line to the open hunk. @returns false if it belongs to no hunk @throws {PatchFault} */
function takesLine(open: OpenHunk | undefined, text: string, line: number): boolean {
  if (open?.kind === 'update') {
    const bare = text.trimEnd()
    if (headerOf(bare) !== undefined || bare === endMarker) return false
    readUpdateLine(open, text, line)
    return true
  }
  if (open?.kind !== 'add') return false
  const isAdded = text.startsWith('+')
  if (isAdded) open.lines.push(text.slice(1))
  return isAdded || (text === noNewlineMarker && open.lines.length > 0)
}

function headerOf(line: string): { readonly kind: string; readonly path: string } | undefined {
  const [, word, path] = /^\*\*\* (Add|Delete|Update) File: (.*)$/s.exec(line) ?? []
  return word === undefined || path === undefined ? undefined : { kind: word, path }
}

function openHunk(text: string, line: number): OpenHunk {
  const header = headerOf(text)
  if (header === undefined)
    throw invalidHunk(line, `'${text}' is not a valid hunk header. ${messages.validHeaders}`)
  const { kind, path } = header
  if (kind === 'Delete') return { kind: 'delete', path, line }
  return kind === 'Add' ? { kind: 'add', path, lines: [], line } : { kind: 'update', path, chunks: [], line }
}

function readUpdateLine(update: OpenUpdate, text: string, line: number): void {
  const bare = text.trimEnd()
  const last = update.chunks.at(-1)
  const moveTo = /^\*\*\* Move to: (.*)$/s.exec(bare)?.[1]
  if (last === undefined && update.moveTo === undefined && moveTo !== undefined) {
    update.moveTo = moveTo
    return
  }
  if (last?.isEndOfFile === true && bare === '') return
  const context = contextOf(bare)
  if (context !== undefined) {
    const chunk = last?.lines.length === 0 ? last : addChunk(update, line)
    if (context !== '') chunk.contexts.push({ text: context, line })
  } else if (last?.isEndOfFile === true) throw unexpectedLine(last, text, line)
  else if (bare === '*** End of File') endFile(last, line)
  else if (text !== noNewlineMarker || last === undefined || last.lines.length === 0) {
    const kind = text === '' ? 'context' : lineKinds[text.charAt(0)]
    if (kind === undefined) throw unexpectedLine(last, text, line)
    const chunk = last ?? addChunk(update, line)
    chunk.lines.push({ kind, text: text.slice(1), line })
  }
}

const lineKinds: Readonly<Record<string, ChunkLine['kind']>> = {
  ' ': 'context',
  '-': 'removed',
  '+': 'added',
}

/** Returns the text after `@@ ` without unified-diff line numbers; undefined for any other line. */
function contextOf(line: string): string | undefined {
  if (line === '@@') return ''
  return line.startsWith('@@ ') ? line.slice(3).replace(/^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?/, '') : undefined
}

function closeUpdate(update: OpenUpdate, text: string, line: number): void {
  const last = update.chunks.at(-1)
  if (last === undefined && update.moveTo === undefined)
    throw invalidHunk(update.line, `Update file hunk for path '${update.path}' is empty`)
  if (last === undefined || last.lines.length > 0) return
  throw text === endMarker ? withoutLines(line) : unexpectedLine(last, text, line)
}

function endFile(last: OpenChunk | undefined, line: number): void {
  if (last?.lines.length === 0) throw withoutLines(line)
  if (last !== undefined) last.isEndOfFile = true
}

function addChunk({ chunks }: OpenUpdate, line: number): OpenChunk {
  const chunk: OpenChunk = { contexts: [], lines: [], isEndOfFile: false, line }
  chunks.push(chunk)
  return chunk
}

function withoutLines(line: number): PatchFault {
  return invalidHunk(line, 'Update hunk does not contain any lines')
}

function unexpectedLine(chunk: OpenChunk | undefined, text: string, line: number): PatchFault {
  if (chunk === undefined || chunk.lines.length === 0)
    return invalidHunk(line, `Unexpected line found in update hunk: '${text}'. ${messages.everyLine}`)
  return invalidHunk(line, `Expected update hunk to start with a @@ context marker, got: '${text}'`)
}
