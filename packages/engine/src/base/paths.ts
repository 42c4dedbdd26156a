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

/**
 * A folder in the cache of the user whose name says nothing: what runs in it must not see by its path that it is checked. Nothing is
 * created. Clean rooms lie in `work`, folders of one process in `scratch`. Where the state alone was given another place, both lie there.
 */
export function neutralFolder(home: HomeEnvironment, part: 'scratch' | 'work'): string {
  const { XDG_CACHE_HOME: cache, XDG_STATE_HOME: state } = home.environment
  const configured = [cache, state].find((folder) => folder !== undefined && isAbsolute(folder))
  const name = sha256(`${stateHome(home)} cache`).slice(0, 16)
  return join(configured ?? join(home.homeFolder, '.cache'), name, part)
}
