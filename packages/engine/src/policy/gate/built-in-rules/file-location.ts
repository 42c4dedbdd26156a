/** Where a path of a command lies, as far as its text says. */
import { posix } from 'node:path'
import {
  commandWords,
  type FoundCommand,
  type Operand,
  programName,
  type CommandWords,
} from '../../../analysis/shell/index.ts'

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

/** A block device: what is written there overwrites a file system. */
export function isDisk(path: string): boolean {
  return /^\/dev\/(?:(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|loop|md|dm-|sr)[\w]*|mapper\/.+|disk\/.+|mem|kmem|port)$/u.test(
    path,
  )
}

/** Written to without any effect on a file. */
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

/** The home folder of anybody is `~` in them. */
const rows: readonly (readonly [where: RegExp, name: string, justification: string])[] = [
  [secrets, 'keys and credentials', 'they are not part of the project'],
  [startFiles, 'files that programs read at their start', 'they change every later session of the user'],
  [system, 'files of the system', 'it changes the machine, not the project'],
]

/** @param path absolute and without `..`, or below `~` */
export function sensitivePath(path: string): Danger | undefined {
  if (neverReturns(path) || /^\/proc\/self\/fd\/\d+$/u.test(path)) return undefined
  if (isDisk(path)) return disk
  const home = path.replace(/^\/(?:home\/[^/]+|Users\/[^/]+|root)(?=\/)/u, '~')
  const row = rows.find(([where]) => where.test(where === system ? path : home))
  return row && { name: row[1], severity: 'dangerous', justification: row[2] }
}

export interface Folders {
  /** Absolute; the first is where the line starts. */
  readonly all: readonly string[]
  /** It goes to a folder that is only known when it runs. */
  readonly isUnknown: boolean
}

/** More than that is a line that nobody should have to follow. */
const maxFolders = 32

/** Every folder that some order of its `cd` could lead to: a target is looked at from each of them. */
export function foldersOf(commands: readonly FoundCommand[], place: CommandLocation): Folders {
  const all = [place.folder]
  let isUnknown = false
  for (const command of commands) {
    const program = command.words[0]?.text ?? null
    if (program === null || !['cd', 'pushd', 'popd', 'chdir'].includes(programName(program))) continue
    const target = commandWords(command).operands.at(-1)
    const to = target?.written ?? '~'
    // Both lead back to where it has been.
    if (to === '-' || programName(program) === 'popd') continue
    if (target?.text === null && !/^~[\w./-]*$/u.test(to)) isUnknown = true
    else
      for (const from of all.slice()) {
        const folder = absolutePath(to, { ...place, folder: from })
        add(all, folder)
        // `..` in a path begins where a link leads to.
        add(all, leadsTo(folder, place))
      }
    if (all.length > maxFolders) isUnknown = true
  }
  return { all, isUnknown }
}

function add(folders: string[], folder: string): void {
  if (folders.length <= maxFolders && !folders.includes(folder)) folders.push(folder)
}

/** What is said of a danger, be it a command, a path or a whole line. */
export interface Danger {
  readonly name: string
  /** `forbidden`: in any case, and nobody can take it out. `dangerous`: it is asked for, and refused where nobody is asked. */
  readonly severity: 'forbidden' | 'dangerous'
  /** One sentence, for the model: what is lost, or what to do instead. */
  readonly justification: string
}

/** One built-in rule. */
export interface BuiltInRule extends Danger {
  /** Names without folders; `mkfs.*` means every name that begins so. */
  readonly programs: readonly string[]
  /** One of these, such as `system prune`; the arguments are then those after it. */
  readonly subcommands?: readonly string[]
  /** What the arguments must be like; absent: whatever they are. */
  readonly finds?: (command: CommandWords, place: CommandLocation) => boolean
  /** A word that is only known when it runs is not suspected of it. */
  readonly onlyLiteral?: true
}

/** Where the command runs. */
export interface CommandLocation {
  /** Absolute. */
  readonly workFolder: string
  /** Absolute; where the command line starts. */
  readonly folder: string
  /** Absolute; null: not known. */
  readonly homeFolder: string | null
  /** Where a path leads, with every link followed, also where it does not exist. Absent: nothing is looked at. */
  readonly realPath?: (absolutePath: string) => string
}
