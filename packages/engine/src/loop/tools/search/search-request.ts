import type { ConfinedPath } from '../../../system/files/index.ts'
import { matchesGlob } from './list-files.ts'
import type { LineMatch, LineQuery } from './find-lines.ts'

export interface SearchRequest {
  /** Free of symlinks. */
  readonly workFolder: string
  /** Where to search: a folder or one file. */
  readonly place: ConfinedPath
  readonly query: LineQuery
  /** A pattern for the paths of files; undefined: all. */
  readonly files: string | undefined
  /** True: `.git` and `node_modules` too. */
  readonly all: boolean
  readonly limit: number
  readonly signal: AbortSignal
}

export interface TextMatch extends LineMatch {
  /** Relative to the work folder. */
  readonly path: string
}

export interface SearchResult {
  /** In the order of paths and lines, at most `limit`. */
  readonly matches: readonly TextMatch[]
  /** There are more. */
  readonly isCut: boolean
}

/** Larger files are left out: they are data rather than text. */
export const maxSearchedBytes = 4 * 1024 * 1024
/** Levels of folders. */
export const maxSearchDepth = 50

export function isWanted({ files }: SearchRequest, path: string): boolean {
  return files === undefined || matchesGlob(path, files)
}
