/** Whether a path that a command line names is a place where secrets usually lie. */
import picomatch from 'picomatch'
import {
  privatePlacesOfConfig,
  privatePlacesOfHome,
  privatePlacesOfSystem,
  privatePlaceVariables,
} from '../../../analysis/protect/index.ts'

/** Memory and environment of any process: the sandbox has a `/proc` of its own. */
const ofProcesses = ['/proc/*/environ', '/proc/*/mem']

/** Compared without regard to letters: some file systems do not tell them apart. */
const places: readonly (readonly string[])[] = [
  ...privatePlacesOfHome.map((place) => `~/${place}`),
  ...privatePlacesOfConfig.map((place) => `~/.config/${place}`),
  ...privatePlacesOfSystem,
  ...ofProcesses,
].map((place) => place.toLowerCase().split('/'))

/** By their second part, for most paths have none. */
const bySecond = new Map<string, (readonly string[])[]>()
for (const place of places) {
  const [, second = ''] = place
  bySecond.set(second, [...(bySecond.get(second) ?? []), place])
}

const naming = new RegExp(`^\\$\\{?(?:${privatePlaceVariables.join('|')})\\b`, 'iu')

/** `at`: it is one, or lies in one. `above`: one lies in it. A part that is only known when it runs may be any name. */
export type Privacy = 'at' | 'above' | null

/** @param path absolute and without `..`, or below `~`; globs and variables as they are written */
export function privacyOf(path: string): Privacy {
  const home = path
    .replace(/^\/proc\/(?:self|thread-self|\d+)\/root(?=\/)/u, '')
    .replace(/^\/(?:home\/[^/]+|users\/[^/]+|root)(?=\/|$)/iu, '~')
  if (/^\/(?:home|users)?$/iu.test(home)) return 'above'
  const parts = home.toLowerCase().split('/')
  const kinds = parts.map(kindOf)
  let isAbove = false
  const [, second] = parts
  const isPlain = second !== undefined && kinds[0] === 'name' && kinds[1] === 'name'
  for (const place of isPlain ? (bySecond.get(second) ?? []) : places) {
    if (!place.every((name, index) => index >= parts.length || mayBe(parts[index] ?? '', kinds[index], name)))
      continue
    if (parts.length >= place.length) return 'at'
    isAbove = true
  }
  return isAbove ? 'above' : null
}

/** Of a word that names such a place by a variable. */
export function namesPrivatePlace(written: string): boolean {
  // Most words have none, and the pattern takes long to be made.
  return written.startsWith('$') && naming.test(written)
}

type PartKind = 'name' | 'glob' | 'any'

/** One with alternatives, or too many stars to be tried, may be any name. */
function kindOf(part: string): PartKind {
  if (/[$`(){}]|\*.*\*.*\*/u.test(part)) return 'any'
  if (!/[*?[]/u.test(part)) return 'name'
  return part.length < maxGlobLength ? 'glob' : 'any'
}

const maxGlobLength = 100

/** @param part as it is written in the line */
function mayBe(part: string, kind: PartKind | undefined, name: string): boolean {
  // The second is a pattern itself: of any process.
  if (kind === 'any' || part === name || (name === '*' && part !== '')) return true
  return kind === 'glob' && picomatch.isMatch(name, part)
}
