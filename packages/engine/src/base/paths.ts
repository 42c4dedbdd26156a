import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { sha256 } from './sha256.ts'

/** Resolves all links of an absolute path; missing parts keep their names. */
export function realPath(path: string): string {
  return realPathsOnce()(path)
}

/** `realPath` for many paths at one moment: reads each folder once. */
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

/** `$XDG_STATE_HOME`, or `~/.local/state`; ignores a relative value, as the specification says. */
export function stateHome({ environment, homeFolder }: HomeEnvironment): string {
  const configured = environment['XDG_STATE_HOME']
  return configured !== undefined && isAbsolute(configured) ? configured : join(homeFolder, '.local', 'state')
}

/** Folder in the user's cache for scratch folders. Does not create it. */
export function scratchPlace(home: HomeEnvironment): string {
  return join(cacheOf(home), neutralName(home), 'scratch')
}

/** Static file servers and many tools skip paths with a hidden folder. */
const placeWithoutDots = '/var/tmp'

/** Possible clean room folders, best first. Neutral names, so that a check cannot see that it decides. */
export function roomPlaces(home: HomeEnvironment): readonly string[] {
  const inCache = join(cacheOf(home), neutralName(home), 'work')
  if (chosenCache(home) !== undefined || process.platform === 'win32') return [inCache]
  const ofUser = sha256(`${process.getuid?.() ?? ''} rooms`).slice(0, 16)
  return [join(placeWithoutDots, ofUser, neutralName(home), 'work'), inCache]
}

/** If only the state folder was moved, the cache is there too. */
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
