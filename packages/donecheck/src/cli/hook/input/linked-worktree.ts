/** Reads the files of git instead of running it: a hook runs at every tool call. */
import { statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { realPath } from '@donecheck/engine/base'
import { isInside } from '@donecheck/engine/store'
import { foldersUpward, readSmallFile } from '../files.ts'

export interface WorkTree {
  readonly root: string
  readonly repository: string
}

/** @returns undefined outside any work tree; the folder need not exist */
export function findWorkTree(folder: string): WorkTree | undefined {
  const root = foldersUpward(folder).find((tried) => statOf(join(tried, '.git')) !== undefined)
  if (root === undefined) return undefined
  return { root, repository: findLinkedRepository(root) ?? join(root, '.git') }
}

/** Follows the `.git` file of a linked work tree, checked in both directions. A submodule has none. */
function findLinkedRepository(root: string): string | undefined {
  const file = join(root, '.git')
  if (statOf(file)?.isFile() !== true) return undefined
  const named = /^gitdir: (.+)$/mu.exec(readSmallFile(file) ?? '')?.[1]
  if (named === undefined) return undefined
  const own = resolve(root, named.trim())
  const back = readSmallFile(join(own, 'gitdir'))?.trim()
  const common = readSmallFile(join(own, 'commondir'))?.trim()
  if (back === undefined || common === undefined) return undefined
  return realPath(resolve(own, back)) === realPath(file) ? realPath(resolve(own, common)) : undefined
}

/** Maps a path to the main checkout. @returns undefined if there is none */
export function toMainCheckout(folder: string, { root, repository }: WorkTree): string | undefined {
  const main = dirname(repository)
  if (main === root || basename(repository) !== '.git' || !isInside(folder, root)) return undefined
  return join(main, relative(root, folder))
}

export function areTreesOfOneRepository(one: string, other: string): boolean {
  const [first, second] = [findWorkTree(realPath(one)), findWorkTree(realPath(other))]
  return first !== undefined && first.repository === second?.repository && first.root !== second.root
}

function statOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
