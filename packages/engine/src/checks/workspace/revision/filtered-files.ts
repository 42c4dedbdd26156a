/** Files that a checkout would pass through a program (`filter` of `.gitattributes`): none is run here. */
import { hash } from 'node:crypto'
import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SnapshotError } from '../snapshot/snapshot-error.ts'
import { fileUnder, textOf, type BytePath } from '../tree/tree-entry.ts'
import { joinPaths, type OwnRepository } from './own-repository.ts'

/** What a commit has instead of the content: its digest and size. */
const pointer = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.+\n)*?oid sha256:([0-9a-f]{64})\n/u
const maxPointerBytes = 1024

/**
 * Lays the content of files in large-file storage, which needs no program: the pointer names its digest.
 * @returns notes about files that stay pointers, as they are in the work tree
 * @throws {SnapshotError} if a content is not on this machine, or another program decides it
 */
export async function layFilteredFiles(
  repository: OwnRepository,
  paths: readonly BytePath[],
  revision: string,
): Promise<readonly string[]> {
  const words = ['check-attr', '--cached', '-z', '--stdin', 'filter']
  // In threes: path, attribute, value.
  const answer = await repository.list(words, { stdin: joinPaths(paths) })
  const pointers: string[] = []
  for (let index = 0; index < answer.length; index += 3) {
    const [path = '', , driver = ''] = answer.slice(index, index + 3)
    if (driver === 'lfs') {
      if (layLargeFile(repository, path, revision) === 'pointer') pointers.push(textOf(path))
    } else assertUnfiltered(repository, path, driver)
  }
  if (pointers.length === 0) return []
  return [
    `${pointers.length} files of large-file storage are pointers here: ${pointers.slice(0, 3).join(', ')}`,
  ]
}

function layLargeFile(
  { root, project }: OwnRepository,
  path: BytePath,
  revision: string,
): 'content' | 'pointer' {
  const file = fileUnder(root, path)
  const stats = lstatSync(file)
  if (!stats.isFile() || stats.size > maxPointerBytes) return 'content'
  const laid = readFileSync(file)
  const [, digest = ''] = pointer.exec(laid.toString()) ?? []
  if (digest === '') return 'content'
  const inStore = (folder: string) => join(folder, 'objects', digest.slice(0, 2), digest.slice(2, 4), digest)
  const workFile = fileUnder(project.place.root, path)
  for (const source of [...project.largeFiles.map(inStore), workFile]) {
    const content = readPlainFile(source)
    if (content === undefined || hash('sha256', content) !== digest) continue
    writeFileSync(file, content)
    return 'content'
  }
  if (readPlainFile(workFile)?.equals(laid) === true) return 'pointer'
  throw new SnapshotError(
    `the content of ${textOf(path)} in ${revision} is in large-file storage and not on this machine. Fetch it first: git lfs fetch origin ${revision}`,
  )
}

/** Without its program we know the content of such a file only if the program leaves it as it is in the work tree. */
function assertUnfiltered({ root, project }: OwnRepository, path: BytePath, driver: string): void {
  const programs = ['smudge', 'process'].map((kind) => project.settings.get(`filter.${driver}.${kind}`))
  if (programs.every((program) => program === undefined || program === '' || program === 'cat')) return
  const [laid, now] = [root, project.place.root].map((folder) => readPlainFile(fileUnder(folder, path)))
  if (laid === undefined || now?.equals(laid) === true) return
  throw new SnapshotError(
    `${textOf(path)} passes through the filter "${driver}" of git, a program that donecheck does not run, so its content in the revision is unknown. Leave --baseline out to compare with the start of the run`,
  )
}

function readPlainFile(file: ReturnType<typeof fileUnder>): Buffer | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file) : undefined
}
