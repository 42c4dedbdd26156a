import { UsageError } from '../../base/index.ts'

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

/** Whether a variable must never be passed on, whoever asks for it. */
export function isSecretName(name: string): boolean {
  return name !== 'PWD' && name !== 'OLDPWD' && secretParts.test(name)
}

/**
 * The variables that a confined process gets: the harmless ones and those that were named. An allow list: what nobody
 * thought of is not passed on.
 */
export function confinedEnvironment(
  environment: Readonly<Record<string, string>>,
  named: readonly string[] = [],
): Record<string, string> {
  const passed = Object.entries(environment).filter(([name]) => isPassed(name, named) && !isSecretName(name))
  return Object.fromEntries(passed)
}

function isPassed(name: string, named: readonly string[]): boolean {
  const isHarmless = harmlessNames.has(name) || harmlessBeginnings.some((part) => name.startsWith(part))
  return isHarmless || named.includes(name)
}

/** @throws {UsageError} for a name that looks like that of a secret: it would be dropped, and better told than silently */
export function checkVariables(names: readonly string[]): void {
  const secret = names.find(isSecretName)
  if (secret === undefined) return
  throw new UsageError(
    `the variable ${secret} looks like a secret and is never passed into the sandbox; give its value by another name, or run without a sandbox`,
  )
}
