/** Resolves paths of commands as far as their text tells. */
import { posix } from 'node:path'
import {
  commandWords,
  type FoundCommand,
  type Operand,
  programName,
  type CommandWords,
} from '../../../analysis/shell/index.ts'

/** Absolute without `..`; text known only at run time is unchanged. */
export function absolutePath(written: string, { folder, homeFolder }: CommandLocation): string {
  const user = /^~([\w.-]*)(?=\/|$)/u.exec(written)
  if (user === null) return posix.resolve(folder, throughProcess(written, folder))
  const [tilde, name = ''] = user
  const home = name === '' ? (homeFolder ?? unknownHome) : `/home/${name}`
  return posix.normalize(`${home}${written.slice(tilde.length)}`).replace(/(?<=.)\/$/u, '')
}

/** `/proc/self/cwd` is the folder, `/proc/self/root` the root. */
function throughProcess(written: string, folder: string): string {
  if (!/proc/iu.test(written)) return written
  return written.replace(
    /^\/[/.]*proc\/[/.]*(?:self|thread-self|\d+|\$\$|\*)(?:\/task\/[^/]+)?\/[/.]*(cwd|root)(?=\/|$)/u,
    (_, link: string) => (link === 'cwd' ? folder : '/'),
  )
}

/** Follows links; a target in the work folder keeps its name. @param path absolute */
export function leadsTo(path: string, { realPath, workFolder }: CommandLocation): string {
  if (realPath === undefined || /[$`*?[{\0]/u.test(path)) return path
  const real = realPath(path)
  const work = realPath(workFolder)
  return isWithin(real, work) ? posix.join(workFolder, posix.relative(work, real)) : real
}

const unknownHome = '/home/~'

/** As `absolutePath`, with `~` for the home folder. */
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

/** `/`, a top-level system folder or the home folder, also with `/*`. */
export function isRoot({ written }: Operand, place: CommandLocation): boolean {
  const path = withoutStar(fullPath(written, place))
  // In a container the work folder may be a system folder.
  if (path === fullPath(place.workFolder, place) && path !== '/') return false
  return path === '~' || systemFolder.test(path) || /^\/(?:home|Users)\/[^/]+$/u.test(path)
}

/** All files of a folder count as the folder. */
function withoutStar(path: string): string {
  const folder = path.replace(/\/(?:\.?\*|\{\*,\.\*\})$/u, '')
  return folder === '' ? '/' : folder
}

/** Everything above or at the work folder, and its git history. */
export function isVital(operand: Operand, place: CommandLocation): boolean {
  if (isRoot(operand, place)) return true
  const path = withoutStar(fullPath(operand.written, place))
  const work = fullPath(place.workFolder, place)
  return isWithin(work, path) || /(?:^|\/)\.git$/u.test(path) || /(?:^|\/)\.\.?$/u.test(operand.written)
}

export function isOutside(operand: Operand, place: CommandLocation): boolean {
  const path = fullPath(operand.written, place)
  return !isWithin(path, fullPath(place.workFolder, place)) && !isWithin(path, '/tmp')
}

/** Writing to a block device overwrites a file system. */
export function isDisk(path: string): boolean {
  return /^\/dev\/(?:(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|loop|md|dm-|sr)[\w]*|mapper\/.+|disk\/.+|mem|kmem|port)$/u.test(
    path,
  )
}

/** Writing there affects no file. */
export function neverReturns(path: string): boolean {
  return /^\/dev\/(?:null|zero|full|stdout|stderr|stdin|tty|fd\/\d+)$/u.test(path)
}

const startFiles =
  /^~\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|inputrc|xprofile|xsessionrc|config\/(?:fish|autostart|systemd)(?:\/.*)?|local\/bin(?:\/.*)?|gitconfig|config\/git(?:\/.*)?|vimrc|config\/donecheck(?:\/.*)?|local\/(?:state|share)\/donecheck(?:\/.*)?|npmrc|yarnrc|pip\/.*|config\/pip(?:\/.*)?|claude(?:\/.*)?|codex(?:\/.*)?|gemini(?:\/.*)?)$/u

const secrets =
  /^~\/(?:\.(?:ssh|aws|gnupg|azure|kube|docker|password-store|config\/(?:gh|gcloud|hub|op)|git-credentials|netrc|pgpass|my\.cnf|pypirc|cargo\/credentials.*)(?:\/.*)?|library\/keychains(?:\/.*)?)$/iu

const system =
  /^\/(?:etc|boot|usr|bin|sbin|lib|lib32|lib64|sys|proc|system|library)(?:\/|$)|^\/var\/(?:spool|lib|log|run)(?:\/|$)/iu

const disk: Danger = {
  name: 'overwriting of a disk',
  severity: 'forbidden',
  justification: 'all that is on the disk is lost',
}

/** `~` is any home folder. */
const rows: readonly (readonly [where: RegExp, name: string, justification: string])[] = [
  [secrets, 'keys and credentials', 'they are not part of the project'],
  [startFiles, 'files that programs read at their start', 'they change every later session of the user'],
  [system, 'files of the system', 'it changes the machine, not the project'],
]

/** @param path absolute without `..`, or below `~` */
export function sensitivePath(path: string): Danger | undefined {
  if (neverReturns(path) || /^\/proc\/self\/fd\/\d+$/u.test(path)) return undefined
  if (isDisk(path)) return disk
  const home = path.replace(/^\/(?:home\/[^/]+|Users\/[^/]+|root)(?=\/)/u, '~')
  const row = rows.find(([where]) => where.test(where === system ? path : home))
  return row && { name: row[1], severity: 'dangerous', justification: row[2] }
}

export interface Folders {
  /** Absolute; the line starts in the first. */
  readonly all: readonly string[]
  readonly isUnknown: boolean
}

/** Longer lines are not followed. */
const maxFolders = 32

/** Every folder that any order of its `cd` could reach: targets are resolved from each. */
export function foldersOf(commands: readonly FoundCommand[], place: CommandLocation): Folders {
  const all = [place.folder]
  let isUnknown = false
  for (const command of commands) {
    const program = command.words[0]?.text ?? null
    if (program === null || !['cd', 'pushd', 'popd', 'chdir'].includes(programName(program))) continue
    const target = commandWords(command).operands.at(-1)
    const to = target?.written ?? '~'
    // Both return to an earlier folder.
    if (to === '-' || programName(program) === 'popd') continue
    if (target?.text === null && !/^~[\w./-]*$/u.test(to)) isUnknown = true
    else
      for (const from of all.slice()) {
        const folder = absolutePath(to, { ...place, folder: from })
        add(all, folder)
        // `..` starts at the target of a link.
        add(all, leadsTo(folder, place))
      }
    if (all.length > maxFolders) isUnknown = true
  }
  return { all, isUnknown }
}

function add(folders: string[], folder: string): void {
  if (folders.length <= maxFolders && !folders.includes(folder)) folders.push(folder)
}

export interface Danger {
  readonly name: string
  /** `forbidden` always refuses; `dangerous` asks, and refuses if nobody can be asked. */
  readonly severity: 'forbidden' | 'dangerous'
  /** One sentence for the model: what is lost, or what to do instead. */
  readonly justification: string
}

export interface BuiltInRule extends Danger {
  /** Without folders; `mkfs.*` is a prefix. */
  readonly programs: readonly string[]
  /** Such as `system prune`; arguments follow it. */
  readonly subcommands?: readonly string[]
  /** Condition on the arguments; always true if absent. */
  readonly finds?: (command: CommandWords, place: CommandLocation) => boolean
  /** Words known only at run time do not match. */
  readonly onlyLiteral?: true
}

export interface CommandLocation {
  readonly workFolder: string
  /** Absolute; the line starts there. */
  readonly folder: string
  /** Absolute; null if unknown. */
  readonly homeFolder: string | null
  /** Follows links, also for missing files. Absent: nothing is resolved. */
  readonly realPath?: (absolutePath: string) => string
}
