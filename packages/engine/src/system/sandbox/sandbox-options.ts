import type { Sandbox } from '../../ports/gate.ts'

export interface SandboxOptions {
  /** Folder that the process may change. May not exist yet. */
  readonly workFolder: string
  /** More writable folders, such as a package cache. They must exist. */
  readonly writableFolders?: readonly string[]
  /** Files and folders hidden in addition to known secrets. Missing ones are ignored. */
  readonly deniedPaths?: readonly string[]
  /** Read-only paths, relative to the work folder: the check scripts. */
  readonly protectedPaths?: readonly string[]
  /** Default `off`, which also blocks the host's loopback. */
  readonly network?: 'off' | 'on'
  /** Persistent folder mounted as `/tmp`. Default: an empty one per process. */
  readonly temporaryFolder?: string
  /** Home folder whose secrets are hidden. Default: this process's. */
  readonly homeFolder?: string
  /** Provides `PATH` and secret locations. Default: this process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

export type SandboxTrial =
  | { readonly kind: 'works'; readonly sandbox: Sandbox }
  /** One sentence, with a fix if there is one. */
  | { readonly kind: 'unusable'; readonly problem: string }

export function unusable(problem: string): SandboxTrial {
  return { kind: 'unusable', problem }
}

/** Names and prefixes of variables without secrets. */
const harmlessNames: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'PWD', 'SHELL', 'USER', 'LOGNAME', 'TERM', 'COLORTERM', 'COLUMNS', 'LINES', 'TZ', 'CI'],
  ...['LANG', 'LANGUAGE', 'NO_COLOR', 'FORCE_COLOR', 'EDITOR', 'PAGER', 'SOURCE_DATE_EPOCH'],
  ...['JAVA_HOME', 'GOROOT', 'GOPATH', 'CARGO_HOME', 'RUSTUP_HOME', 'PYENV_ROOT', 'VIRTUAL_ENV', 'NVM_DIR'],
  ...['PYTHONPATH', 'PYTHONHASHSEED', 'GEM_HOME', 'RBENV_ROOT', 'BUN_INSTALL', 'DENO_DIR', 'VOLTA_HOME'],
  ...['CC', 'CXX', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS', 'MAKEFLAGS', 'PKG_CONFIG_PATH'],
])
const harmlessBeginnings = ['LC_', 'NODE_', 'GIT_AUTHOR_', 'GIT_COMMITTER_'] as const

/** Name parts of variables with secrets. */
const secretParts =
  /(?:^|_)(?:KEY|KEYS|TOKEN|TOKENS|AUTH|CREDENTIALS?|COOKIE|DSN|PWD|PAT)(?:_|$)|SECRET|PASSW(?:OR)?D|PASSPHRASE|APIKEY|^DONECHECK_/i

/** Whether a variable must never be passed on. */
export function isSecretName(name: string): boolean {
  return name !== 'PWD' && name !== 'OLDPWD' && secretParts.test(name)
}

/** Variables of a confined process. An allow list, so unknown ones are dropped. */
export function confinedEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const passed = Object.entries(environment).filter(([name]) => isHarmless(name) && !isSecretName(name))
  return Object.fromEntries(passed)
}

function isHarmless(name: string): boolean {
  return harmlessNames.has(name) || harmlessBeginnings.some((part) => name.startsWith(part))
}
