import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { decodeTextFile } from '../../analysis/patch/index.ts'
import type { Tool, ToolOutcome } from '../../ports/loop.ts'
import { readBytes, type ConfinedPath } from '../../system/files/index.ts'
import {
  defineTool,
  errorOutcome,
  okOutcome,
  pathArgument,
  linesOf,
  plainText,
  readIn,
} from './define-tool.ts'
import { nearest } from '@donecheck/core/internal/base'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const maxFileBytes = 32 * 1024 * 1024
const maxShownBytes = 256 * 1024

const lineCount = z.int().min(1).max(100_000_000).optional()

const schema = z.strictObject({
  path: pathArgument.describe('File to read, relative to the work folder.'),
  offset: lineCount.describe('First line to show, counted from 1. Default 1.'),
  limit: lineCount.describe('How many lines to show. Default: all that fit.'),
})

type ReadFileArgs = z.infer<typeof schema>

export function readFileTool(workFolder: string): Tool {
  return defineTool<ReadFileArgs>({
    name: 'read_file',
    description: `Reads a text file. At most ${maxShownBytes / 1024} KiB are shown at once; use offset and limit for more.`,
    effect: 'read',
    schema,
    prepare: (args) =>
      readIn(
        workFolder,
        args.path,
        (file) => `read ${file}`,
        (file) => readFile(file, args),
      ),
  })
}

async function readFile(file: ConfinedPath, args: ReadFileArgs): Promise<ToolOutcome> {
  const found = await readBytes(file.absolute, maxFileBytes)
  if (found.kind === 'missing') return errorOutcome(await noSuchFile(file))
  if (found.kind === 'unreadable') return errorOutcome(`${file.relative} ${found.problem}`)
  return showFile(file.relative, found.bytes, args)
}

function showFile(path: string, bytes: Buffer, args: ReadFileArgs): ToolOutcome {
  const decoded = decodeTextFile(bytes)
  if (decoded.kind === 'not-text') return errorOutcome(`${path} is a binary file of ${bytes.length} bytes`)
  const { encoding, hasByteOrderMark } = decoded.format
  const { text, lineEnding } = plainText(decoded.text)
  const notes = [
    encodingNotes[encoding],
    encoding === 'utf-8' && hasByteOrderMark ? 'starts with a byte order mark' : '',
    lineEnding === 'crlf' ? 'lines end with CR LF' : '',
  ]
  return showLines(path, text, args, notes.filter(Boolean).join(', '))
}

const encodingNotes = {
  'utf-8': '',
  '8-bit':
    'not UTF-8: bytes above 127 are shown as Latin-1 and stay as they are; only ASCII can be put into it',
} as const

function showLines(
  path: string,
  text: string,
  { offset = 1, limit }: ReadFileArgs,
  note: string,
): ToolOutcome {
  const all = linesOf(text)
  if (all.length === 0) return okOutcome(`[${path} is empty]`)
  if (offset > all.length)
    return errorOutcome(`${path} has ${all.length} lines; line ${offset} is behind its end`)
  const wanted = all.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit)
  const shown = fitting(wanted)
  const last = offset + shown.length - 1
  const isAll = offset === 1 && last === all.length
  const part = isAll ? '' : `lines ${offset} to ${last} of ${all.length}`
  const next = last < all.length ? `go on with offset ${last + 1}` : ''
  const notes = [part, next, note].filter(Boolean).join('; ')
  return okOutcome(shown.join('\n') + (notes === '' ? '' : `\n[${notes}]`))
}

function fitting(lines: readonly string[]): readonly string[] {
  const [first = ''] = lines
  const firstBytes = Buffer.byteLength(first)
  if (firstBytes > maxShownBytes)
    return [`${first.slice(0, maxShownBytes / 4)} [... the line is cut: it has ${firstBytes} bytes ...]`]
  let left = maxShownBytes
  const behind = lines.findIndex((line) => (left -= Buffer.byteLength(line) + 1) < 0)
  return behind === -1 ? lines : lines.slice(0, behind)
}

/** Suggests a similar name. */
export async function noSuchFile({ absolute, relative }: ConfinedPath): Promise<string> {
  const names = await readdir(dirname(absolute)).catch(() => [])
  const near = nearest(basename(absolute), names)
  return `there is no file ${relative}${near === undefined ? '' : `; did you mean ${join(dirname(relative), near)}?`}`
}
