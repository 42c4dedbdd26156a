import { lstat } from 'node:fs/promises'
import { bytePathOfText, textOf, type BytePath } from './byte-path.ts'
import { listByWalk, type Listing } from './list-by-walk.ts'
import { listWithGit } from './list-with-git.ts'

/**
 * What counts in the folder: as git sees it, or else by a walk.
 * @throws {DOMException} `AbortError` after an abort
 */
export async function listTree(folder: string, signal: AbortSignal): Promise<Listing> {
  const paths = await listWithGit(folder, signal)
  return paths === undefined ? listByWalk(folder, '', signal) : { paths, unreadable: [] }
}

/**
 * The same for a folder that git named as one entry: a submodule, or a repository inside this one. Whoever made it
 * cannot hide its files by that.
 * @throws {DOMException} `AbortError` after an abort
 */
export async function listNested(folder: string, below: BytePath, signal: AbortSignal): Promise<Listing> {
  const name = textOf(below)
  const nested = `${folder}/${name}`
  // Git can only be asked in a folder whose name is valid text.
  const isAskable = bytePathOfText(name) === below && (await isRepository(nested))
  const paths = isAskable ? await listWithGit(nested, signal) : undefined
  if (paths === undefined) return listByWalk(folder, below, signal)
  return { paths: paths.map((path) => `${below}/${path}`), unreadable: [] }
}

async function isRepository(folder: string): Promise<boolean> {
  return lstat(`${folder}/.git`).then(
    () => true,
    () => false,
  )
}
