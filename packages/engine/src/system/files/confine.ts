import { relative } from 'node:path'
import { resolveLinks } from './resolve-links.ts'

export interface ConfinedPath {
  readonly kind: 'inside'
  /** Free of symlinks, at the time of asking. */
  readonly absolute: string
  /** To the work folder, for people; `.` is the folder itself. */
  readonly relative: string
}

export type Confined = ConfinedPath | { readonly kind: 'outside'; readonly reason: string }

/**
 * Where a path of the model leads, if that is in the work folder: every symlink is followed first, those of parents
 * and of targets that do not exist yet too. The answer holds for the moment: whoever acts on it later asks again.
 */
export async function confine(workFolder: string, path: string): Promise<Confined> {
  if (path.includes('\0')) return outside(`the path ${JSON.stringify(path)} has a NUL character in it`)
  const folder = await resolveLinks(workFolder)
  if (folder.kind === 'failed') return outside(`the work folder cannot be entered: ${folder.problem}`)
  const target = await resolveLinks(path, folder.path)
  if (target.kind === 'failed')
    return outside(`the path ${JSON.stringify(path)} cannot be followed: ${target.problem}`)
  const isInside = target.path === folder.path || target.path.startsWith(withSlash(folder.path))
  if (isInside)
    return { kind: 'inside', absolute: target.path, relative: relative(folder.path, target.path) || '.' }
  const leads = target.path === path ? '' : `, it leads to ${target.path}`
  return outside(`the path ${JSON.stringify(path)} is outside of the work folder ${folder.path}${leads}`)
}

/**
 * The same path once more, just before something is done with it.
 * @returns why it may not be done: a folder or file on the way was replaced by a symlink meanwhile
 */
export async function hasMoved(
  workFolder: string,
  path: string,
  before: ConfinedPath,
): Promise<string | undefined> {
  const now = await confine(workFolder, path)
  if (now.kind === 'outside') return now.reason
  if (now.absolute === before.absolute) return undefined
  return `the path ${JSON.stringify(path)} led to ${before.absolute} before, and leads to ${now.absolute} now`
}

function outside(reason: string): Confined {
  return { kind: 'outside', reason }
}

function withSlash(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`
}
