import { dirname } from 'node:path'

/** `temporary`: empty, writable, discarded. `empty`: empty, read-only. `denied`: a closed file. */
type MountKind = 'writable' | 'read-only' | 'temporary' | 'empty' | 'denied' | 'given-temporary'

export interface Mount {
  readonly path: string
  readonly kind: MountKind
}

export interface Ground {
  readonly temporaryFolders: readonly string[]
  readonly givenTemporary?: string
  /** Folders with sockets of other programs, such as `/run`. */
  readonly doors: readonly string[]
  readonly shown: readonly string[]
  readonly secrets: readonly MountTarget[]
  readonly writable: readonly string[]
  readonly workFolder: string
  readonly fixed: readonly string[]
  readonly denied: readonly MountTarget[]
}

export interface MountTarget {
  readonly path: string
  readonly isFolder: boolean
}

/** Outer first. Later ones win: temporary, doors, path to fixed, secrets, writable, work, fixed, denied. */
export function mountPlan(ground: Ground): readonly Mount[] {
  const roots = [...ground.writable, ground.workFolder]
  const [first] = ground.temporaryFolders
  const wanted: readonly Mount[] = [
    ...mounts('temporary', ground.temporaryFolders),
    ...(ground.givenTemporary !== undefined && first !== undefined ? mounts('given-temporary', [first]) : []),
    ...mounts('empty', ground.doors),
    ...mounts('read-only', ground.shown),
    ...ground.fixed.flatMap((path) => mounts('writable', foldersToPin(path, roots))),
    ...ground.secrets.map(hidePath),
    ...mounts('writable', roots),
    ...mounts('read-only', ground.fixed),
    ...ground.denied.map(hidePath),
  ]
  const byPath = new Map(wanted.map(({ path, kind }) => [path, kind]))
  const sorted = [...byPath].map(([path, kind]) => ({ path, kind })).sort((a, b) => depthOf(a) - depthOf(b))
  return sorted.filter((mount) => isNeeded(mount, sorted))
}

/** Folders between writable root and path. Unless mounted, they could be renamed and replaced. */
function foldersToPin(path: string, roots: readonly string[]): readonly string[] {
  const root = roots.filter((folder) => isWithin(folder, path)).sort((a, b) => b.length - a.length)[0]
  if (root === undefined) return []
  const folders: string[] = []
  for (let folder = dirname(path); folder !== root && isWithin(root, folder); folder = dirname(folder))
    folders.push(folder)
  return folders
}

/** Nothing can be mounted inside a hidden folder. */
function isNeeded({ path, kind }: Mount, all: readonly Mount[]): boolean {
  if (kind === 'writable' || kind === 'temporary' || kind === 'given-temporary') return true
  const around = all.filter((other) => other.path !== path && isWithin(other.path, path))
  const nearest = around.at(-1)?.kind
  if (nearest === 'temporary' || nearest === 'given-temporary' || nearest === 'empty')
    return kind === 'read-only'
  return true
}

function hidePath({ path, isFolder }: MountTarget): Mount {
  return { path, kind: isFolder ? 'empty' : 'denied' }
}

function mounts(kind: MountKind, paths: readonly string[]): readonly Mount[] {
  return paths.map((path) => ({ path, kind }))
}

function depthOf({ path }: Mount): number {
  return path === '/' ? 0 : path.split('/').length
}

export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
