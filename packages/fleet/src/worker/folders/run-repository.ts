/** The repository that a run finds in its folder: with its history, and nothing of the worker. */
import { join } from 'node:path'
import { ownEnvironment, ownWords, runGit } from './git.ts'

/**
 * Without a remote, a template, a hook or a link into the cache, so that nothing that the run does there reaches another run.
 * The files of the base lie in the folder already.
 */
export async function layRepository(
  folder: string,
  cacheFolder: string,
  commit: string,
  branch: string,
): Promise<void> {
  const ask = (...words: readonly string[]) =>
    runGit([...ownWords, ...words], {
      folder,
      environment: { ...ownEnvironment(), GIT_DIR: join(folder, '.git'), GIT_WORK_TREE: folder },
    })
  const reference = `refs/donecheck/commits/${commit}`
  await ask('init', '--quiet', '--template=', `--initial-branch=${branch}`)
  const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--update-head-ok']
  await ask(...words, cacheFolder, `${reference}:refs/heads/${branch}`)
  await ask('read-tree', 'HEAD')
  await ask('update-index', '-q', '--refresh').catch(() => undefined)
}
