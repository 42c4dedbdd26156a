/** Where a path of a command lies, as far as its text says. */
import { posix } from 'node:path'
import type { CommandLocation } from './built-in-rule.ts'
import type { Operand } from '../../../analysis/shell/index.ts'

/** Absolute and without `..`; what is only known when it runs stays as it is written. */
export function absolutePath(written: string, { folder, homeFolder }: CommandLocation): string {
  const user = /^~([\w.-]*)(?=\/|$)/u.exec(written)
  if (user === null) return posix.resolve(folder, throughProcess(written, folder))
  const [tilde, name = ''] = user
  const home = name === '' ? (homeFolder ?? unknownHome) : `/home/${name}`
  return posix.normalize(`${home}${written.slice(tilde.length)}`).replace(/(?<=.)\/$/u, '')
}

/** `/proc/self/cwd` is the folder itself, and `/proc/self/root` the root. */
function throughProcess(written: string, folder: string): string {
  if (!/proc/iu.test(written)) return written
  return written.replace(
    /^\/[/.]*proc\/[/.]*(?:self|thread-self|\d+|\$\$|\*)(?:\/task\/[^/]+)?\/[/.]*(cwd|root)(?=\/|$)/u,
    (_, link: string) => (link === 'cwd' ? folder : '/'),
  )
}

/** Where a path leads by all links on the way; what stays in the work folder keeps its name there. @param path absolute */
export function leadsTo(path: string, { realPath, workFolder }: CommandLocation): string {
  if (realPath === undefined || /[$`*?[{\0]/u.test(path)) return path
  const real = realPath(path)
  const work = realPath(workFolder)
  return isWithin(real, work) ? posix.join(workFolder, posix.relative(work, real)) : real
}

const unknownHome = '/home/~'

/** The same, with `~` for the home folder. */
export function fullPath(written: string, place: CommandLocation): string {
  const path = absolutePath(written, place)
  const home = [place.homeFolder ?? unknownHome].find((folder) => folder !== '/' && isWithin(path, folder))
  return home === undefined ? path : `~${path.slice(home.length)}`
}

export function isWithin(path: string, folder: string): boolean {
  const base = folder.endsWith('/') ? folder : `${folder}/`
  return path === folder || path.startsWith(base)
}

const systemFolder =
  /^\/(?:bin|boot|dev|etc|home|lib|lib32|lib64|libx32|opt|private|proc|root|run|sbin|srv|sys|system|usr|var|users|library|applications)?$/iu

/** `/`, a folder of the system at its top, the home folder; also with `/*` behind it. */
export function isRoot({ written }: Operand, place: CommandLocation): boolean {
  const path = withoutStar(fullPath(written, place))
  // A work folder may be the folder of a system: in a container, for one.
  if (path === fullPath(place.workFolder, place) && path !== '/') return false
  return path === '~' || systemFolder.test(path) || /^\/(?:home|Users)\/[^/]+$/u.test(path)
}

/** All that is in a folder is as good as the folder. */
function withoutStar(path: string): string {
  const folder = path.replace(/\/(?:\.?\*|\{\*,\.\*\})$/u, '')
  return folder === '' ? '/' : folder
}

/** What no task is about: everything above or at the work folder, and the history of it. */
export function isVital(operand: Operand, place: CommandLocation): boolean {
  if (isRoot(operand, place)) return true
  const path = withoutStar(fullPath(operand.written, place))
  const work = fullPath(place.workFolder, place)
  return isWithin(work, path) || /(?:^|\/)\.git$/u.test(path) || /(?:^|\/)\.\.?$/u.test(operand.written)
}

/** Neither in the work folder nor in a folder for temporary files. */
export function isOutside(operand: Operand, place: CommandLocation): boolean {
  const path = fullPath(operand.written, place)
  return !isWithin(path, fullPath(place.workFolder, place)) && !isWithin(path, '/tmp')
}
