import { closest, distance } from 'fastest-levenshtein'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ConfinedPath } from '../../system/files/index.ts'

/** Letters that a slip of the pen changes. */
const maxTypos = 3

/** What to say of a file that does not exist: with the name beside it that was perhaps meant. */
export async function noSuchFile({ absolute, relative }: ConfinedPath): Promise<string> {
  const names = await readdir(dirname(absolute)).catch(() => [])
  const name = basename(absolute)
  const nearest = names.length === 0 ? '' : closest(name, names)
  const isNear = nearest !== '' && distance(name, nearest) <= maxTypos
  return `there is no file ${relative}${isNear ? `; did you mean ${join(dirname(relative), nearest)}?` : ''}`
}
