/** Files beyond any task, by where they lie. */
import type { Danger } from './built-in-rule.ts'

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
