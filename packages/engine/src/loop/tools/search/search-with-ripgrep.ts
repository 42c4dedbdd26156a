import { Buffer } from 'node:buffer'
import { normalize } from 'node:path'
import { z } from 'zod'
import { runProcess, type ProcessResult } from '../../../system/process/index.ts'
import {
  maxSearchDepth,
  isWanted,
  maxSearchedBytes,
  type TextMatch,
  type SearchRequest,
  type SearchResult,
} from './search-request.ts'

const searchTimeoutMs = 30_000
const maxOutputBytes = 16 * 1024 * 1024

/**
 * The same search by the program `rg`, which is faster. Undefined where it cannot say: it is not installed, does not
 * know a part of the expression's language, could not read everything, or found too much.
 */
export async function searchWithRipgrep(
  request: SearchRequest,
  environment: Readonly<Record<string, string>>,
): Promise<SearchResult | undefined> {
  const result = await runProcess({
    command: { words: ['rg', ...optionsOf(request), '--', `./${request.place.relative}`] },
    folder: request.workFolder,
    environment,
    timeoutMs: searchTimeoutMs,
    signal: request.signal,
    headBytes: 0,
    tailBytes: 0,
    keepBytes: maxOutputBytes,
  })
  request.signal.throwIfAborted()
  if (!hasAnswered(result)) return undefined
  const found = matchesIn(result.whole ?? '').filter(({ path }) => isWanted(request, path))
  const matches = found.toSorted(byPlace)
  return { matches: matches.slice(0, request.limit), isCut: matches.length > request.limit }
}

/** Exit code 1: nothing was found. */
function hasAnswered({ end, output }: ProcessResult): boolean {
  return end.kind === 'exited' && end.exitCode <= 1 && output.totalBytes <= maxOutputBytes
}

function optionsOf({ query, all, limit }: SearchRequest): readonly string[] {
  return [
    ...['--no-config', '--json', '--no-ignore', '--hidden', '--crlf', '--encoding', 'none'],
    ...['--max-depth', String(maxSearchDepth), '--max-filesize', String(maxSearchedBytes)],
    ...['--max-count', String(limit + 1)],
    ...(all ? [] : ['--glob', '!.git/', '--glob', '!node_modules/']),
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(query.isRegex ? [] : ['--fixed-strings']),
    ...['--regexp', query.pattern],
  ]
}

/** What is not valid text comes in base64. */
const text = z
  .union([z.object({ text: z.string() }), z.object({ bytes: z.base64() })])
  .transform((value) => ('text' in value ? value.text : Buffer.from(value.bytes, 'base64').toString()))

const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('match'),
    data: z.object({
      path: text,
      lines: text,
      line_number: z.number(),
      submatches: z.array(z.object({ start: z.number() })),
    }),
  }),
  z.object({ type: z.literal('end'), data: z.object({ path: text, binary_offset: z.number().nullable() }) }),
])

function matchesIn(output: string): readonly TextMatch[] {
  const matches: TextMatch[] = []
  const binary = new Set<string>()
  for (const line of output.split('\n')) {
    const read = parseMessage(line)
    if (read?.type === 'match') matches.push(matchOf(read.data))
    else if (read !== undefined && read.data.binary_offset !== null) binary.add(normalize(read.data.path))
  }
  return matches.filter(({ path }) => !binary.has(path))
}

function parseMessage(line: string): z.infer<typeof message> | undefined {
  try {
    return message.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

function matchOf(found: Extract<z.infer<typeof message>, { type: 'match' }>['data']): TextMatch {
  const whole = found.lines.replace(/\r?\n$/, '')
  const startBytes = found.submatches[0]?.start ?? 0
  const column = Buffer.from(whole).subarray(0, startBytes).toString().length
  return { path: normalize(found.path), line: found.line_number, column, text: whole }
}

/** The order of a walk: names are compared folder by folder. */
function byPlace(one: TextMatch, other: TextMatch): number {
  if (one.path === other.path) return one.line - other.line
  const [parts, otherParts] = [one.path.split('/'), other.path.split('/')]
  const index = parts.findIndex((part, position) => part !== otherParts[position])
  return (parts[index] ?? '') < (otherParts[index] ?? '') ? -1 : 1
}
