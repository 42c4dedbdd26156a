import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf, withinTime } from '../../../base/index.ts'
import type { Tool, ToolOutcome } from '../../../ports/loop.ts'
import { readBytes, type ConfinedPath } from '../../../system/files/index.ts'
import {
  defineTool,
  errorOutcome,
  invalid,
  okOutcome,
  allArgument,
  filesArgument,
  pathArgument,
  oneLine,
  readIn,
} from '../define-tool.ts'
import { matchesGlob, walkTree } from './list-files.ts'

const schema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(1_000)
    .refine((pattern) => !/[\n\r\0]/.test(pattern), {
      error: 'lines are searched one by one: no line feed can match',
    })
    .describe('Text to find in a line.'),
  regex: z
    .boolean()
    .optional()
    .describe('The pattern is a regular expression (JavaScript syntax). Default false: plain text.'),
  ignore_case: z.boolean().optional().describe('Default false.'),
  path: pathArgument
    .optional()
    .describe('Folder or file to search, relative to the work folder. Default: the work folder.'),
  files: filesArgument,
  all: allArgument,
  limit: z.int().min(1).max(1_000).optional().describe('Lines to show. Default 100.'),
})

type SearchTextArgs = z.infer<typeof schema>

/** Finds lines in text files, including ignored ones. */
export function searchTextTool(workFolder: string): Tool {
  return defineTool<SearchTextArgs>({
    name: 'search_text',
    description:
      'Finds lines in files, by plain text or a regular expression. .git, node_modules and binary files are left out.',
    effect: 'read',
    schema,
    async prepare(args) {
      const query = {
        pattern: args.pattern,
        isRegex: args.regex ?? false,
        ignoreCase: args.ignore_case ?? false,
      }
      const problem = problemOf(query)
      if (problem !== undefined) return invalid(problem)
      const { path = '.', files, all = false, limit = 100 } = args
      return readIn(
        workFolder,
        path,
        (place) => `search ${oneLine(JSON.stringify(args.pattern), 100)} in ${place}`,
        (place, signal) => searchText({ place, query, files, all, limit, signal }),
      )
    },
  })
}

function problemOf(query: LineQuery): string | undefined {
  try {
    lineFinder(query, 0)
    return undefined
  } catch (error) {
    return `pattern: ${messageOf(error)}; to search it as plain text, leave regex out`
  }
}

interface SearchRequest {
  readonly place: ConfinedPath
  readonly query: LineQuery
  /** Glob for paths; undefined for all. */
  readonly files: string | undefined
  readonly all: boolean
  readonly limit: number
  readonly signal: AbortSignal
}

interface TextMatch extends LineMatch {
  readonly path: string
}

async function searchText(request: SearchRequest): Promise<ToolOutcome> {
  const { place, limit } = request
  const stats = await lstat(place.absolute).catch(() => undefined)
  if (stats === undefined) return errorOutcome(`there is no file or folder ${place.relative}`)
  try {
    const found = await searchFiles(request, stats.isDirectory() ? walkFiles(request) : [place])
    const matches = found.slice(0, limit)
    const isCut = found.length > limit
    const lines = matches.map(lineOf)
    if (isCut) lines.push(`[the first ${limit}; there are more: narrow it by pattern, path or files]`)
    if (lines.length > 0) return okOutcome(lines.join('\n'))
    return okOutcome(
      `[no matches${request.query.isRegex ? '' : ' of the plain text; for an expression, set regex'}]`,
    )
  } catch (error) {
    if (!(error instanceof PatternTimeout)) throw error
    return errorOutcome('the expression takes too long: make it simpler, or search plain text')
  }
}

const shownBefore = 100
const shownLength = 300

function lineOf({ path, line, column, text }: TextMatch): string {
  const start = text.length <= shownLength ? 0 : Math.max(0, column - shownBefore)
  const shown = text.slice(start, start + shownLength)
  const dots = [start > 0 ? '... ' : '', start + shownLength < text.length ? ' ...' : '']
  return `${oneLine(path, Infinity)}:${line}: ${dots[0] ?? ''}${shown}${dots[1] ?? ''}`
}

/** For matching in all files together. */
const matchingBudgetMs = 2_000
const maxSearchedBytes = 4 * 1024 * 1024
const maxSearchDepth = 50

type SearchedFile = Pick<ConfinedPath, 'absolute' | 'relative'>

/** Sorted; one more than the limit if there are more. Skips binary files. @throws {PatternTimeout} */
async function searchFiles(
  { query, limit }: SearchRequest,
  files: AsyncIterable<SearchedFile> | Iterable<SearchedFile>,
): Promise<readonly TextMatch[]> {
  const finder = lineFinder(query, matchingBudgetMs)
  const matches: TextMatch[] = []
  for await (const { absolute, relative: path } of files) {
    const read = await readBytes(absolute, maxSearchedBytes)
    if (read.kind !== 'file' || read.bytes.includes(0)) continue
    const found = finder.find(read.bytes.toString(), limit + 1 - matches.length)
    matches.push(...found.map((line) => ({ path, ...line })))
    if (matches.length > limit) break
  }
  return matches
}

async function* walkFiles({ place, files, all, signal }: SearchRequest): AsyncGenerator<SearchedFile> {
  for await (const { kind, path } of walkTree(place.absolute, { depth: maxSearchDepth, all, signal })) {
    const relative = join(place.relative, path)
    if (kind === 'file' && (files === undefined || matchesGlob(relative, files)))
      yield { absolute: join(place.absolute, path), relative }
  }
}

interface LineQuery {
  readonly pattern: string
  readonly isRegex: boolean
  readonly ignoreCase: boolean
}

interface LineMatch {
  readonly line: number
  /** Of the first match, in characters from 0. */
  readonly column: number
  readonly text: string
}

interface LineFinder {
  /** @throws {PatternTimeout} when the budget is used up */
  find(text: string, limit: number): readonly LineMatch[]
}

/** Some expressions need exponential time. */
export class PatternTimeout extends Error {
  override readonly name = 'PatternTimeout'
}

export function lineFinder(query: LineQuery, budgetMs: number): LineFinder {
  const expression = new RegExp(
    query.isRegex ? query.pattern : escapePattern(query.pattern),
    query.ignoreCase ? 'i' : '',
  )
  let leftMs = budgetMs
  return {
    find(text, limit) {
      const startedMs = performance.now()
      const found = leftMs < 1 ? undefined : withinTime(leftMs, () => findLines(text, expression, limit))
      leftMs -= performance.now() - startedMs
      if (found?.kind !== 'done') throw new PatternTimeout('the budget is used up')
      return found.value
    },
  }
}

function findLines(text: string, expression: RegExp, limit: number): readonly LineMatch[] {
  const found: LineMatch[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (found.length >= limit) break
    const column = line.search(expression)
    if (column >= 0) found.push({ line: index + 1, column, text: line })
  }
  return found
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
