/** Files that git ignores and that decide a check all the same. */
import { lstatSync } from 'node:fs'
import { decidesByName, isLoadedUnasked } from '../../../analysis/sides/index.ts'
import { bytePathOf, bytePathOfText, fileUnder, textOf, type BytePath } from '../tree/tree-entry.ts'
import { installed } from '../clean-copy/dependencies.ts'
import { listByWalk } from './list-tree.ts'
import { findRepository, runGit } from '../run-git.ts'

const listing = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']

/**
 * What git ignores; whole folders as one, with `/` behind them. Undefined: there is no git that could tell.
 * @throws {DOMException} `AbortError` after an abort
 */
export async function listIgnored(
  folder: string,
  signal: AbortSignal,
): Promise<readonly BytePath[] | undefined> {
  const place = findRepository(folder)
  if (place === undefined) return undefined
  const { exitCode, stdout } = await runGit(place, listing, signal)
  signal.throwIfAborted()
  return exitCode === 0 ? bytePathOf(stdout).split('\0').filter(Boolean) : undefined
}

/** A script of a shell, which a script of the checks may read in at some depth: its side is for the placing to say. */
const mayBeSourced = /^(?:[^/]+\/){0,3}[^/]+\.(?:ba|z|k)?sh$/u

/**
 * What a runner or an interpreter loads unasked, outside of installed packages, configuration and files among the tests that are
 * ignored by themselves, these scripts of the checks, and scripts of a shell that others may read in, where they are plain files
 * that git ignores. Without git nothing is ignored.
 * @throws {DOMException} `AbortError` after an abort
 */
export async function listDecidingIgnored(
  folder: string,
  scripts: readonly string[],
  signal: AbortSignal,
): Promise<readonly BytePath[]> {
  const found: BytePath[] = []
  // A file that is ignored by itself; of a folder that is, the files are what a tool has written.
  const single = new Set<BytePath>()
  for (const entry of (await listIgnored(folder, signal)) ?? []) {
    if (!entry.endsWith('/')) single.add(entry)
    else found.push(...(await filesBelow(folder, entry.slice(0, -1), signal)))
  }
  const wanted = new Set(scripts.map(bytePathOfText))
  return [...single, ...found]
    .filter(
      (path) =>
        wanted.has(path) ||
        isLoadedUnasked(textOf(path)) ||
        mayBeSourced.test(textOf(path)) ||
        (single.has(path) && decidesByName(textOf(path))),
    )
    .filter((path) => isFile(folder, path))
}

/** Written by a tool that configures a build: nobody reads them but who names their folder. */
const generatedRules = /(?:^|\/)(?:(?:GNUm|[Mm])akefile(?:\.\w+)?|[^/]+\.mk|build\.ninja)$/u

async function filesBelow(
  folder: string,
  below: BytePath,
  signal: AbortSignal,
): Promise<readonly BytePath[]> {
  // What is installed is looked at as such.
  if (below.split('/').some((part) => installed.includes(part))) return []
  const { paths } = await listByWalk(folder, below, signal, [...installed, '.git'])
  return paths.filter((path) => !generatedRules.test(path))
}

function isFile(folder: string, path: BytePath): boolean {
  return lstatSync(fileUnder(folder, path), { throwIfNoEntry: false })?.isFile() ?? false
}
