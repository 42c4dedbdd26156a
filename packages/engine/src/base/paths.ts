import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { sha256 } from './sha256.ts'

/** Absolute, with every link followed; what does not exist yet keeps its name under the real path of what does. */
export function realPath(path: string): string {
  return realPathsOnce()(path)
}

/** The same for many paths at one moment: each folder is looked at once, and nothing below one that is not there. */
export function realPathsOnce(): (path: string) => string {
  const looked = new Map<string, { readonly real: string; readonly exists: boolean }>()
  const look = (absolute: string): { readonly real: string; readonly exists: boolean } => {
    const known = looked.get(absolute)
    if (known !== undefined) return known
    const parent = dirname(absolute)
    const above = parent === absolute ? { real: absolute, exists: true } : look(parent)
    const named = parent === absolute ? absolute : join(above.real, basename(absolute))
    const found = above.exists ? follow(absolute) : undefined
    const result = { real: found ?? named, exists: found !== undefined }
    looked.set(absolute, result)
    return result
  }
  return (path) => look(resolve(path)).real
}

function follow(absolute: string): string | undefined {
  try {
    return realpathSync.native(absolute)
  } catch {
    return undefined
  }
}

export interface HomeEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeFolder: string
}

/** `$XDG_STATE_HOME`, or `~/.local/state`; the specification ignores a path that is not absolute. */
export function stateHome({ environment, homeFolder }: HomeEnvironment): string {
  const configured = environment['XDG_STATE_HOME']
  return configured !== undefined && isAbsolute(configured) ? configured : join(homeFolder, '.local', 'state')
}

/** A folder in the user's cache for the scratch folders of single processes. Nothing is created. */
export function scratchPlace(home: HomeEnvironment): string {
  return join(cacheOf(home), neutralName(home), 'scratch')
}

/** Servers of static files and many tools skip every path that has a folder with a leading dot in it. */
const placeWithoutDots = '/var/tmp'

/**
 * Where clean rooms may lie, the best place first. No name in these paths says what they are for: a check must not see that it is
 * decided. A cache folder that the user chose is taken as it is. Nothing is created.
 */
export function roomPlaces(home: HomeEnvironment): readonly string[] {
  const inCache = join(cacheOf(home), neutralName(home), 'work')
  if (chosenCache(home) !== undefined || process.platform === 'win32') return [inCache]
  const ofUser = sha256(`${process.getuid?.() ?? ''} rooms`).slice(0, 16)
  return [join(placeWithoutDots, ofUser, neutralName(home), 'work'), inCache]
}

/** Where the state alone was given another place, the cache lies there too. */
function chosenCache({ environment }: HomeEnvironment): string | undefined {
  const { XDG_CACHE_HOME: cache, XDG_STATE_HOME: state } = environment
  return [cache, state].find((folder) => folder !== undefined && isAbsolute(folder))
}

function cacheOf(home: HomeEnvironment): string {
  return chosenCache(home) ?? join(home.homeFolder, '.cache')
}

function neutralName(home: HomeEnvironment): string {
  return sha256(`${stateHome(home)} cache`).slice(0, 16)
}
