import { optionKeys } from '../../base/index.ts'
import type { Sandbox } from '../../ports/gate.ts'

export interface SandboxOptions {
  /** The folder that the process may change. It may come into being later. */
  readonly workFolder: string
  /** Folders besides that may be written, such as the cache of a package manager. They must exist. */
  readonly writableFolders?: readonly string[]
  /** Files and folders that cannot even be read, besides the well-known places of secrets. Those that do not exist are passed over. */
  readonly deniedPaths?: readonly string[]
  /** Files and folders that can be read and not changed, relative to the work folder: the scripts that check the work. */
  readonly protectedPaths?: readonly string[]
  /** Default `off`: not even the loopback of the host is reached. */
  readonly network?: 'off' | 'on'
  /** A folder that is `/tmp` inside and outlives the process. Default: an empty one for every process. */
  readonly temporaryFolder?: string
  /** Whose places of secrets are hidden. Default: that of this process. */
  readonly homeFolder?: string
  /** Where programs are looked for (`PATH`), and what names places of secrets. Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

export const sandboxKeys = optionKeys<SandboxOptions>()(`
  workFolder! writableFolders deniedPaths protectedPaths network temporaryFolder homeFolder environment
`)

export type SandboxTrial =
  | { readonly kind: 'works'; readonly sandbox: Sandbox }
  /** One sentence, with the way out where there is one. */
  | { readonly kind: 'unusable'; readonly problem: string }

export function unusable(problem: string): SandboxTrial {
  return { kind: 'unusable', problem }
}

/** Names and beginnings of names of variables that programs need and that hold no secret. */
const harmlessNames: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'PWD', 'SHELL', 'USER', 'LOGNAME', 'TERM', 'COLORTERM', 'COLUMNS', 'LINES', 'TZ', 'CI'],
  ...['LANG', 'LANGUAGE', 'NO_COLOR', 'FORCE_COLOR', 'EDITOR', 'PAGER', 'SOURCE_DATE_EPOCH'],
  ...['JAVA_HOME', 'GOROOT', 'GOPATH', 'CARGO_HOME', 'RUSTUP_HOME', 'PYENV_ROOT', 'VIRTUAL_ENV', 'NVM_DIR'],
  ...['PYTHONPATH', 'PYTHONHASHSEED', 'GEM_HOME', 'RBENV_ROOT', 'BUN_INSTALL', 'DENO_DIR', 'VOLTA_HOME'],
  ...['CC', 'CXX', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS', 'MAKEFLAGS', 'PKG_CONFIG_PATH'],
])
const harmlessBeginnings = ['LC_', 'NODE_', 'GIT_AUTHOR_', 'GIT_COMMITTER_'] as const

/** A part of a name that says that its value is a secret, or leads to one. */
const secretParts =
  /(?:^|_)(?:KEY|KEYS|TOKEN|TOKENS|AUTH|CREDENTIALS?|COOKIE|DSN|PWD|PAT)(?:_|$)|SECRET|PASSW(?:OR)?D|PASSPHRASE|APIKEY|^DONECHECK_/i

/** Whether a variable must never be passed on, no matter who asks for it. */
export function isSecretName(name: string): boolean {
  return name !== 'PWD' && name !== 'OLDPWD' && secretParts.test(name)
}

/** The variables that a confined process gets. An allow list: what nobody thought of is not passed on. */
export function confinedEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const passed = Object.entries(environment).filter(([name]) => isHarmless(name) && !isSecretName(name))
  return Object.fromEntries(passed)
}

function isHarmless(name: string): boolean {
  return harmlessNames.has(name) || harmlessBeginnings.some((part) => name.startsWith(part))
}
