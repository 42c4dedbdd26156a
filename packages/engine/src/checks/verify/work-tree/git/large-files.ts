import { join } from 'node:path'
import type { DiffRecord } from './diff-records.ts'
import { git, type Repository } from './git-program.ts'
import { digestAt } from './tree-change.ts'

const pointer = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.+\n)*?oid sha256:([0-9a-f]{64})\n/u
const maxPointerBytes = 1024

/**
 * Files of large-file storage that are as they were: the commit holds a pointer with the digest of what stands in the
 * work tree. Told by the pointer itself, since the filter that would tell it is a program of the repository's choice.
 * @returns their paths
 */
export async function unchangedLargeFiles(
  repository: Repository,
  records: readonly DiffRecord[],
): Promise<ReadonlySet<string>> {
  const candidates = records.filter(({ status, oldMode, newMode }) => status === 'M' && oldMode === newMode)
  const filtered = await pathsWithFilter(repository, candidates)
  const unchanged = new Set<string>()
  for (const { path, oldId } of candidates.filter((record) => filtered.has(record.path)))
    if (await isPointerTo(repository, oldId, join(repository.root, path))) unchanged.add(path)
  return unchanged
}

async function pathsWithFilter(
  repository: Repository,
  records: readonly DiffRecord[],
): Promise<ReadonlySet<string>> {
  if (records.length === 0) return new Set()
  const stdin = records.map(({ path }) => `${path}\0`).join('')
  const answer = (await git(repository, ['check-attr', '-z', '--stdin', 'filter'], { stdin })).split('\0')
  // Threes: path, attribute, value.
  const paths = answer.filter((_, index) => index % 3 === 0 && answer[index + 2] === 'lfs')
  return new Set(paths)
}

async function isPointerTo(repository: Repository, blob: string, file: string): Promise<boolean> {
  const size = Number(await git(repository, ['cat-file', '-s', blob]))
  if (size > maxPointerBytes) return false
  const [, digest] = pointer.exec(await git(repository, ['cat-file', 'blob', blob])) ?? []
  return digest !== undefined && digest === (await digestAt(file, repository.signal))
}
