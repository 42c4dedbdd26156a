import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { protectionOf, type ProtectOptions } from '../../analysis/protect/index.ts'
import type { ProbeTrees } from '../../ports/checks.ts'

/** The work folder before the first turn. */
export interface BaselineTree {
  readonly paths: ReadonlySet<string>
  /** Text of a file; null: there is none, or it is no text that can be shown. */
  read(path: string): string | null
  /** Whether a path belongs to the tests and the like, which no solution may change. */
  readonly isOfChecks: (path: string) => boolean
}

const maxBytes = 1024 * 1024

export async function baselineTree(
  workFolder: string,
  trees: Pick<ProbeTrees, 'files'>,
  protect: ProtectOptions,
  signal: AbortSignal,
): Promise<BaselineTree> {
  const paths = new Set(await trees.files(signal))
  return {
    paths,
    read: (path) => (paths.has(path) ? textOf(join(workFolder, path)) : null),
    isOfChecks: (path) => {
      const protection = protectionOf(path, protect)
      // A manifest holds the product's dependencies too.
      return protection !== undefined && protection !== 'manifest'
    },
  }
}

function textOf(file: string): string | null {
  try {
    if (statSync(file).size > maxBytes) return null
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch {
    return null
  }
}
