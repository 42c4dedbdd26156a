import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'

/** A folder in one of the ways in which a shell line may write it, and another one in the same way. */
export interface Spelling {
  readonly from: string
  readonly to: string
}

/**
 * How a line may name a folder by its absolute path: as it was given, by its real path, with `\ ` for spaces, and from
 * the home folder (`~/…`, `$HOME/…`). Longest first. A path that leads there over a link of its own is not known.
 */
export async function findSpellings(
  folder: string,
  to: string,
  home: string | undefined,
): Promise<readonly Spelling[]> {
  const given = resolve(folder)
  const paths = [...new Set([given, await realpath(given).catch(() => given)])]
  const spellings = paths.flatMap((path): readonly Spelling[] => [
    { from: path, to },
    ...(path.includes(' ') ? [{ from: escapeSpaces(path), to: escapeSpaces(to) }] : []),
    ...fromHome(path, home).map((from) => ({ from, to })),
  ])
  return spellings.sort((one, other) => other.from.length - one.from.length)
}

function escapeSpaces(path: string): string {
  return path.replaceAll(' ', String.raw`\ `)
}

function fromHome(path: string, home: string | undefined): readonly string[] {
  if (home === undefined || home === '/' || !path.startsWith(`${home}/`)) return []
  const rest = path.slice(home.length)
  return ['~', '$HOME', '${HOME}'].map((start) => `${start}${rest}`)
}

/** Before it a path begins: not in the middle of a word, save behind `-C` and its like. Behind it a name ends. */
const begins = String.raw`(?:(?<![\w.~\\$}-])|(?<=(?:^|\s)-[A-Za-z]))`
const ends = String.raw`(?![\w.~-])`

function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** The text with every spelling replaced where it stands as a whole path, or as the start of one. */
export function withFolder(text: string, spellings: readonly Spelling[]): string {
  const alternatives = spellings.map(({ from }) => asPattern(from)).join('|')
  if (alternatives === '') return text
  const pattern = new RegExp(`${begins}(?:${alternatives})${ends}`, 'g')
  return text.replaceAll(pattern, (found) => spellings.find(({ from }) => from === found)?.to ?? found)
}
