import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../../base/index.ts'
import type { Tool, ToolOutcome } from '../../../ports/loop.ts'
import { confine, hasMoved, readBytes, type ConfinedPath } from '../../../system/files/index.ts'
import {
  defineTool,
  errorOutcome,
  invalid,
  okOutcome,
  outside,
  allArgument,
  filesArgument,
  pathArgument,
  oneLine,
} from '../define-tool.ts'
import { lineFinder, PatternTimeout, type LineQuery } from './find-lines.ts'
import {
  maxSearchDepth,
  isWanted,
  maxSearchedBytes,
  type TextMatch,
  type SearchRequest,
  type SearchResult,
} from './search-request.ts'
import { searchWithRipgrep } from './search-with-ripgrep.ts'
import { walkTree } from './list-files.ts'

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

/** Finds lines in text files, with `rg` where it is installed and by itself otherwise. Ignore files are not heeded. */
export function searchTextTool(workFolder: string, environment: Readonly<Record<string, string>>): Tool {
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
      const given = args.path ?? '.'
      const place = await confine(workFolder, given)
      if (place.kind === 'outside') return outside(place.reason)
      return {
        kind: 'ready',
        summary: `search ${oneLine(JSON.stringify(args.pattern), 100)} in ${oneLine(place.relative)}`,
        run: async (signal) => {
          const [root, moved] = [await confine(workFolder, '.'), await hasMoved(workFolder, given, place)]
          if (root.kind === 'outside') return errorOutcome(root.reason)
          if (moved !== undefined) return errorOutcome(moved)
          const { files, all = false, limit = 100 } = args
          const request = { workFolder: root.absolute, place, query, files, all, limit, signal }
          return searchText(request, environment)
        },
      }
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

async function searchText(
  request: SearchRequest,
  environment: Readonly<Record<string, string>>,
): Promise<ToolOutcome> {
  if (!(await exists(request.place)))
    return errorOutcome(`there is no file or folder ${request.place.relative}`)
  try {
    const { matches, isCut } =
      (await searchWithRipgrep(request, environment)) ?? (await searchByWalk(request))
    const lines = matches.map(lineOf)
    if (isCut) lines.push(`[the first ${request.limit}; there are more: narrow it by pattern, path or files]`)
    if (lines.length > 0) return okOutcome(lines.join('\n'))
    return okOutcome(
      `[no matches${request.query.isRegex ? '' : ' of the plain text; for an expression, set regex'}]`,
    )
  } catch (error) {
    if (!(error instanceof PatternTimeout)) throw error
    return errorOutcome('the expression takes too long: make it simpler, or search plain text')
  }
}

async function exists({ absolute }: ConfinedPath): Promise<boolean> {
  return lstat(absolute).then(
    () => true,
    () => false,
  )
}

const shownBefore = 100
const shownLength = 300

function lineOf({ path, line, column, text }: TextMatch): string {
  const start = text.length <= shownLength ? 0 : Math.max(0, column - shownBefore)
  const shown = text.slice(start, start + shownLength)
  const dots = [start > 0 ? '... ' : '', start + shownLength < text.length ? ' ...' : '']
  return `${oneLine(path, Infinity)}:${line}: ${dots[0] ?? ''}${shown}${dots[1] ?? ''}`
}

/** For matching alone, in all files together. */
const matchingBudgetMs = 2_000

/**
 * Reads every file itself. Binary files are left out.
 * @throws {PatternTimeout} for an expression that takes too long
 */
async function searchByWalk(request: SearchRequest, budgetMs = matchingBudgetMs): Promise<SearchResult> {
  const finder = lineFinder(request.query, budgetMs)
  const matches: TextMatch[] = []
  for await (const path of walkFiles(request)) {
    const read = await readBytes(join(request.workFolder, path), maxSearchedBytes)
    if (read.kind !== 'file' || read.bytes.includes(0)) continue
    const found = finder.find(read.bytes.toString(), request.limit + 1 - matches.length)
    matches.push(...found.map((line) => ({ path, ...line })))
    if (matches.length > request.limit) break
  }
  return { matches: matches.slice(0, request.limit), isCut: matches.length > request.limit }
}

async function* walkFiles(request: SearchRequest): AsyncGenerator<string> {
  const { place, all, signal } = request
  if (!(await lstat(place.absolute)).isDirectory()) {
    yield place.relative
    return
  }
  for await (const { kind, path } of walkTree(place.absolute, { depth: maxSearchDepth, all, signal })) {
    const whole = join(place.relative, path)
    if (kind === 'file' && isWanted(request, whole)) yield whole
  }
}
