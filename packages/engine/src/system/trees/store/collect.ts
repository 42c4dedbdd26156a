import { readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runOwnGit } from './git.ts'
import { namesIn } from '../paths.ts'

export interface CollectOptions {
  readonly keptForMs: number
  /** Repacks from this number of packs. Default 40. */
  readonly maxPacks?: number
  readonly signal: AbortSignal
}

const dayMs = 24 * 60 * 60 * 1_000

/** Deletes unkept objects older than a day. @throws {SnapshotError} if damaged; then deletes nothing */
export async function collectTrees(gitFolder: string, options: CollectOptions): Promise<void> {
  const { keptForMs, maxPacks = 40, signal } = options
  const kept = join(gitFolder, 'refs', 'donecheck')
  const packs = join(gitFolder, 'objects', 'pack')
  const nowMs = Date.now()
  for (const name of namesIn(dirname(gitFolder)))
    if (name.startsWith(`${basename(gitFolder)}.`) && modifiedMs(join(gitFolder, '..', name)) < nowMs - dayMs)
      rmSync(join(gitFolder, '..', name), { recursive: true, force: true })
  const gone = namesIn(kept).filter((name) => modifiedMs(join(kept, name)) < nowMs - keptForMs)
  for (const name of gone) rmSync(join(kept, name), { force: true })
  const earlier = namesIn(packs)
  if (gone.length === 0 && earlier.length <= 2 * maxPacks) return
  const packed = await packKept(gitFolder, kept, signal)
  for (const name of earlier)
    if (!name.startsWith(packed) && modifiedMs(join(packs, name)) < nowMs - dayMs)
      rmSync(join(packs, name), { force: true })
}

async function packKept(gitFolder: string, kept: string, signal: AbortSignal): Promise<string> {
  const roots = namesIn(kept).map((name) => readFileSync(join(kept, name), 'utf8'))
  const listing = ['rev-list', '--objects', '--missing=allow-any', '--stdin']
  const listed = await runOwnGit(gitFolder, listing, { stdin: [roots.join('')], signal })
  // Large contents are named by a tree, and not stored.
  const check = ['cat-file', '--batch-check=%(objectname) %(objecttype) %(rest)']
  const present = await runOwnGit(gitFolder, check, { stdin: [listed], signal })
  // The path hints at similar contents for compression.
  const named = present
    .toString('latin1')
    .split('\n')
    .map((line) => /^(\w+) (\w+)([^]*)$/u.exec(line) ?? [])
    .flatMap(([, id, kind, path]) => (id === undefined || kind === 'missing' ? [] : `${id}${path ?? ''}\n`))
  const stdin = [Buffer.from(named.join(''), 'latin1')]
  const target = join(gitFolder, 'objects', 'pack', 'pack')
  const name = await runOwnGit(gitFolder, ['pack-objects', '--quiet', '--window=5', target], {
    stdin,
    signal,
  })
  return `pack-${name.toString().trim()}`
}

function modifiedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
