/** `cp -r x/. .`: what is in one folder is laid into another, with all its names, and one of them may be ours. */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { writtenPlaces, type Decomposition, type FoundWord } from '@donecheck/engine/shell'
import { resolveWord, foldersOf, type ProtectedPlaces } from './protected-places.ts'

/** Of ours the one that would be written over; undefined: none, as far as one can see. */
export function findOverwrittenPlace(
  { commands, writes }: Decomposition,
  places: ProtectedPlaces,
): string | undefined {
  const all = commands.flatMap((found) => writtenPlaces(found) ?? [])
  const laid = all.flatMap(({ path, written, from = [] }) =>
    from.map((word) => [path ?? written, word] as const),
  )
  if (laid.length === 0) return undefined
  const folders = foldersOf(commands, places)
  const made = [...writes, ...all].flatMap(({ path }) => path ?? [])
  return folders.flatMap((folder) => {
    const madeHere = made.map((path) => resolveWord(path, folder, places))
    return laid.flatMap(([into, word]) => {
      const target = resolveWord(into, folder, places)
      return places.ownPlaces.filter((place) => {
        const way = relative(target, place)
        return !way.startsWith('..') && mayContain(word, way, { folder, made: madeHere, places })
      })
    })
  })[0]
}

interface CopyContext {
  readonly folder: string
  /** What the line itself makes, absolute: before it runs nobody can look there. */
  readonly made: readonly string[]
  readonly places: ProtectedPlaces
}

function mayContain(
  { text, written }: FoundWord,
  way: string,
  { folder, made, places }: CopyContext,
): boolean {
  const seen = text ?? written
  if (text === null && /[$`~]/u.test(seen)) return true
  // No name that begins with a dot is one of `*`.
  if (/(?:^|\/)\*$/u.test(seen) && way.startsWith('.')) return false
  // Of another machine nothing can be seen, and to bring something from there is usual work.
  if (/^[\w.@-]+:/u.test(seen)) return false
  const source = resolveWord(seen.replace(/(?:^|\/)(?:\.|\*)?\/*$/u, '') || '.', folder, places)
  const isMade = made.some((path) => !relative(source, path).startsWith('..') && path !== folder)
  return isMade || existsSync(join(source, way))
}
