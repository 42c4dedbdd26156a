/** Files beyond any task, by where they lie. */

export interface SensitivePath {
  readonly name: string
  readonly severity: 'forbidden' | 'dangerous'
  readonly justification: string
}

/** A block device: what is written there overwrites a file system. */
export function isDisk(path: string): boolean {
  return /^\/dev\/(?:(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|loop|md|dm-|sr)[\w]*|mapper\/.+|disk\/.+|mem|kmem|port)$/u.test(
    path,
  )
}

/** Written to without any effect on a file. */
export function isSink(path: string): boolean {
  return /^\/dev\/(?:null|zero|full|stdout|stderr|stdin|tty|fd\/\d+)$/u.test(path)
}

const startFiles =
  /^~\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|inputrc|xprofile|xsessionrc|config\/(?:fish|autostart|systemd)(?:\/.*)?|local\/bin(?:\/.*)?|gitconfig|config\/git(?:\/.*)?|vimrc|config\/donecheck(?:\/.*)?|local\/(?:state|share)\/donecheck(?:\/.*)?|npmrc|yarnrc|pip\/.*|config\/pip(?:\/.*)?|claude(?:\/.*)?|codex(?:\/.*)?|gemini(?:\/.*)?)$/u

const secrets =
  /^~\/(?:\.(?:ssh|aws|gnupg|azure|kube|docker|password-store|config\/(?:gh|gcloud|hub|op)|git-credentials|netrc|pgpass|my\.cnf|pypirc|cargo\/credentials.*)(?:\/.*)?|library\/keychains(?:\/.*)?)$/iu

const system =
  /^\/(?:etc|boot|usr|bin|sbin|lib|lib32|lib64|sys|proc|system|library)(?:\/|$)|^\/var\/(?:spool|lib|log|run)(?:\/|$)/iu

/** @param path absolute and without `..`, or below `~` */
export function sensitivePath(path: string): SensitivePath | undefined {
  if (isSink(path) || /^\/proc\/self\/fd\/\d+$/u.test(path)) return undefined
  if (isDisk(path))
    return {
      name: 'overwriting of a disk',
      severity: 'forbidden',
      justification: 'all that is on the disk is lost',
    }
  const home = path.replace(/^\/(?:home\/[^/]+|Users\/[^/]+|root)(?=\/)/u, '~')
  if (secrets.test(home))
    return {
      name: 'keys and credentials',
      severity: 'dangerous',
      justification: 'they are not part of the project',
    }
  if (startFiles.test(home))
    return {
      name: 'files that programs read at their start',
      severity: 'dangerous',
      justification: 'they change every later session of the user',
    }
  if (system.test(path))
    return {
      name: 'files of the system',
      severity: 'dangerous',
      justification: 'it changes the machine, not the project',
    }
  return undefined
}
