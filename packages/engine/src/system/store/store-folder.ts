import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { sha256, realPath, stateHome, type HomeEnvironment } from '../../base/index.ts'

interface StoreLocation extends HomeEnvironment {
  /** Project folder; every path to it gives the same store. */
  readonly workFolder: string
}

/** `$XDG_STATE_HOME/donecheck/NAME-HASH`, or the same under `~/.local/state`. Nothing is created. */
export function defaultStoreFolder({ workFolder, ...home }: StoreLocation): string {
  const folder = realPath(workFolder)
  const hash = sha256(folder).slice(0, 16)
  return join(stateHome(home), 'donecheck', `${readableName(folder)}-${hash}`)
}

/** Whether a folder is the tree or inside it, symlinks resolved. Neither needs to exist. */
export function isInside(folder: string, tree: string): boolean {
  const way = relative(realPath(tree), realPath(folder))
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** For people; a hash distinguishes projects of equal name. */
function readableName(folder: string): string {
  const name = basename(folder)
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 40)
  return name === '' ? 'project' : name
}
