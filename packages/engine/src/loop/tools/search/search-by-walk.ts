import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { lineFinder } from './find-lines.ts'
import { readBytes } from '../../../system/files/index.ts'
import {
  maxSearchDepth,
  isWanted,
  maxSearchedBytes,
  type TextMatch,
  type SearchRequest,
  type SearchResult,
} from './search-request.ts'
import { walkTree } from './walk-tree.ts'

/** For matching alone, in all files together. */
export const matchingBudgetMs = 2_000

/**
 * Reads every file itself. Binary files are left out.
 * @throws {PatternTimeout} for an expression that takes too long
 */
export async function searchByWalk(
  request: SearchRequest,
  budgetMs = matchingBudgetMs,
): Promise<SearchResult> {
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
