/** What must not be touched, and how a word of a line, or of a code, may name it. */
import { basename, dirname, join, relative, resolve } from 'node:path'
import { realPath } from '@donecheck/engine/base'
import { isOwnPlace } from '@donecheck/agents/session'
import { writtenPlaces, type FoundCommand } from '@donecheck/engine/shell'

export interface ProtectedPlaces {
  readonly workFolder: string
  readonly homeFolder: string
  /** Absolute. */
  readonly ownPlaces: readonly string[]
}

/** `at`: it is one, or in one. `holder`: the folder in which one lies, which is neither the work folder nor the home folder. */
type PlaceMatch = 'at' | 'holder'

/** How a word names one of them, from any of these folders; undefined: it names none. */
export function matchWord(
  word: string,
  folders: readonly string[],
  places: ProtectedPlaces,
): PlaceMatch | undefined {
  const path = expandWord(word, places)
  const namings = (isUnknown.test(path) ? [] : folders).map((folder) =>
    matchPath(resolve(folder, path), places),
  )
  const tail = isUnknown.exec(path)?.groups?.['tail']
  const all = tail === undefined ? namings : [tailsOf(places).get(tail.replace(/\/+$/u, ''))]
  return all.find((naming) => naming === 'at') ?? all.find((naming) => naming !== undefined)
}

/** Whatever an expansion becomes, what is written behind it is known: `$x/.claude`. */
const isUnknown = /[$`](?:.*[$`})])?[^/]*(?<tail>\/[^$`]*)?$/su

function matchPath(path: string, places: ProtectedPlaces): PlaceMatch | undefined {
  const { ownPlaces } = places
  if (isOwnPlace(path, ownPlaces)) return 'at'
  const holders = parentsOf(places)
  if (holders.has(path) || holders.has(realPath(path))) return 'holder'
  if (!/[*?[]/u.test(path)) return undefined
  const pattern = globPattern(path)
  if (ownPlaces.some((place) => pattern.test(place))) return 'at'
  return [...holders].some((holder) => pattern.test(holder)) ? 'holder' : undefined
}

/** The work folder and the home folder hold far more than what is ours. */
function parentsOf({ workFolder, homeFolder, ownPlaces }: ProtectedPlaces): ReadonlySet<string> {
  const holders = ownPlaces.map((place) => dirname(place))
  return new Set(
    holders.filter((path) => path !== workFolder && path !== homeFolder && path !== dirname(path)),
  )
}

/** `/.claude/settings.json`, behind the name of a folder that is only known when it runs. */
export function tailsOf(places: ProtectedPlaces): ReadonlyMap<string, PlaceMatch> {
  const tails = (path: string, naming: PlaceMatch) =>
    [places.workFolder, places.homeFolder].flatMap((folder): (readonly [string, PlaceMatch])[] => {
      const inside = relative(folder, path)
      return inside === '' || inside.startsWith('..') ? [] : [[`/${inside}`, naming]]
    })
  return new Map([
    ...[...parentsOf(places)].flatMap((path) => tails(path, 'holder')),
    ...places.ownPlaces.flatMap((path) => tails(path, 'at')),
  ])
}

/** Without quotes, and with the folders that everybody knows by name. */
function expandWord(word: string, { homeFolder }: ProtectedPlaces): string {
  return word
    .replaceAll(/["'\\]/gu, '')
    .replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/u, homeFolder)
    .replace(/^\/proc\/(?:self|\$\$)\/cwd(?=\/|$)/u, '.')
    .replace(/^(?:~\+|\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`)(?=\/|$)/u, '.')
}

/** As a shell reads it: `*` and `?` are no `/`, and no dot at the beginning of a name; `**` goes down. */
export function globPattern(path: string): RegExp {
  const parts = path.split(/(?<wild>\*\*\/?|\[[^\]]*\]|[*?[])/u).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.+^${}()|[\]\\]/gu, '\\$&')
    if (part.startsWith('**')) return '(?:.*/)?'
    return part === '*' ? '[^/]*' : '[^/]'
  })
  return new RegExp(`^${parts.join('').replaceAll('/[^/]', '/(?!\\.)[^/]')}$`, 'u')
}

/** Wherever the line goes, and where it starts. */
export function foldersOf(commands: readonly FoundCommand[], places: ProtectedPlaces): readonly string[] {
  let folders: readonly string[] = [places.workFolder]
  for (const { words } of commands) {
    const all = words.map(({ text, written }) => text ?? written)
    const [program, target] = all
    const given = all.filter((_, index) => /^(?:-C|--chdir|--directory|--cwd)$/u.test(all[index - 1] ?? ''))
    folders = [...folders, ...given.map((folder) => resolveWord(folder, folders.at(-1) ?? '', places))]
    if ((program === 'cd' || program === 'pushd') && target !== undefined)
      folders = [...folders, resolveWord(target, folders.at(-1) ?? places.workFolder, places)]
  }
  return folders
}

/** `.cl*` is the folder of ours that it fits. */
export function resolveWord(word: string, from: string, places: ProtectedPlaces): string {
  const path = resolve(from, expandWord(word, places))
  if (!/[*?[]/u.test(path)) return path
  const pattern = globPattern(path)
  return [...parentsOf(places)].find((holder) => pattern.test(holder)) ?? path
}

/** Where the last name of a path lies by all links on the way. */
export function resolveLinks(path: string): string {
  return join(realPath(dirname(path)), basename(path))
}

/** `… | xargs rm`: it changes files whose names it is given. */
export function changesPipedFiles({ words, through }: FoundCommand): boolean {
  return through.some((name) => /^xargs\b/u.test(name)) && changers.test(basename(words[0]?.text ?? ''))
}

/** It changes a file of which nobody knows the name. */
export function changesUnknownFile(found: FoundCommand): boolean {
  const isShell = /^(?:sh|bash|zsh)$/u.test(basename(found.words[0]?.text ?? ''))
  const places = isShell ? found.words.map(({ text }) => ({ path: text })) : (writtenPlaces(found) ?? [])
  return changesPipedFiles(found) || places.some(({ path }) => path === null)
}

const changers = /^(?:tee|sponge|cp|ln|mv|rm|unlink|shred|truncate|dd|sed|chmod|sh|bash|zsh)$/u
