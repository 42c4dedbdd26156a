/** One bare repository for each address, from which the folders of runs are made. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { messageOf, sha256 } from '@donecheck/engine/base'
import type { Credential } from './credentials.ts'
import { askOwn, FolderError } from './git.ts'
import { askRemote } from './remote.ts'
import { initOwn } from './work-tree.ts'

export interface Cache {
  readonly gitFolder: string
  /** What a branch, a tag or a whole commit id is now. It stays in the cache. @throws {FolderError} */
  fetch(revision: string, signal?: AbortSignal): Promise<string>
}

/**
 * Many processes may use it at once, and none waits for another: it appears as a whole, objects are written under their digests,
 * every fetch has a reference of its own, and nothing is ever collected.
 */
export async function openCache(
  cacheFolder: string,
  address: string,
  credentials: readonly Credential[],
): Promise<Cache> {
  const gitFolder = join(cacheFolder, `${sha256(address).slice(0, 32)}.git`)
  if (!existsSync(gitFolder)) await createCache(cacheFolder, gitFolder)
  const ask = async (...words: readonly string[]) => (await askOwn({ gitFolder }, words)).toString().trim()
  return {
    gitFolder,
    async fetch(revision, signal) {
      if (/^[0-9a-f]{40,64}$/.test(revision) && (await hasCommit(gitFolder, revision))) return revision
      const own = `refs/donecheck/fetched/${randomUUID()}`
      const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
      try {
        await askRemote(
          gitFolder,
          address,
          [...words, '--', address, `+${revision}:${own}`],
          credentials,
          signal,
        )
      } catch (error) {
        if (!messageOf(error).includes("couldn't find remote ref")) throw error
        throw new FolderError(`${address} has no branch or tag "${revision}"; of a commit give the whole id`)
      }
      const commit = await ask('rev-parse', '--verify', '--end-of-options', `${own}^{commit}`)
      await ask('update-ref', `refs/donecheck/commits/${commit}`, commit)
      await ask('update-ref', '-d', own)
      return commit
    },
  }
}

async function hasCommit(gitFolder: string, commit: string): Promise<boolean> {
  return askOwn({ gitFolder }, [
    'rev-parse',
    '--quiet',
    '--verify',
    `refs/donecheck/commits/${commit}^{commit}`,
  ]).then(
    () => true,
    () => false,
  )
}

async function createCache(cacheFolder: string, gitFolder: string): Promise<void> {
  mkdirSync(cacheFolder, { recursive: true, mode: 0o700 })
  const draft = join(cacheFolder, `.${randomUUID()}`)
  await initOwn(draft)
  try {
    renameSync(draft, gitFolder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process was first: a folder that is not empty cannot be replaced.
    if (!existsSync(gitFolder)) throw error
  }
}
