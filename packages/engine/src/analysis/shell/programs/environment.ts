import type { Obstacle } from '../decomposition.ts'
import { shorten } from '../reading/findings.ts'

/** Variables that only affect output, or that only the shell reads. */

const harmless = new Set(
  (
    'CI NODE_ENV DEBUG FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS LINES TERM LANG LANGUAGE TZ VERBOSE ' +
    'RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED NODE_NO_WARNINGS CGO_ENABLED GOOS GOARCH ' +
    'GIT_TERMINAL_PROMPT DEBIAN_FRONTEND NO_UPDATE_NOTIFIER OLDPWD PORT HOST ' +
    'FILE FILES DIR DIRS NAME NAMES COUNT TOTAL NUM N I LINE RESULT OUTPUT OUT STATUS MSG MESSAGE PATTERN BRANCH COMMIT VERSION ' +
    'START END ROOT BASE TARGET'
  ).split(' '),
)
/** Lower-case names that programs or `zsh` read. */
const powerful =
  /^(npm_config_.*|pip_.*|.*_proxy|path|fpath|cdpath|manpath|module_path|mailpath|histchars|_)$/i

/** @param value null if it is only known when it runs */
function isHarmlessVariable(name: string, value: string | null): boolean {
  // `env` can set other names too, such as exported functions of bash.
  if (!/^[A-Za-z_]\w*$/.test(name) || powerful.test(name)) return false
  if (/^(?:\w+_)?PAGER$|^MANPAGER$/.test(name)) return value !== null && isHarmlessPager(value)
  if (/^(?:EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR)$/.test(name))
    return value !== null && isHarmlessEditor(value)
  return /[a-z]/.test(name) || harmless.has(name) || /^LC_[A-Z]+$/.test(name)
}

export function isHarmlessPager(value: string): boolean {
  return value === 'cat' || value === ''
}

/** Leaves the text unchanged, or is interactive. */
export function isHarmlessEditor(value: string): boolean {
  return /^(?:true|:|cat|vi|vim|nvim|nano|emacs|code --wait|code -w)$/.test(value)
}

/** `PATH=$PATH:more` keeps existing lookups. @param written not quoted as a whole */
function isAppendedPath(written: string): boolean {
  return /^PATH="?\$(?:PATH|\{PATH\})"?:/.test(written)
}

/** Folders with tools of the project or its user. */
const toolFolder =
  /^(?:\$(?:PWD|HOME|\{PWD\}|\{HOME\}|\(pwd\))\/|\.\/|~\/)?(?:[\w@-][\w.@-]*\/)*(?:node_modules\/\.bin|\.?venv\/bin|\.local\/bin|\.cargo\/bin|\.bun\/bin|\.deno\/bin|go\/bin)\/?$/

/** `PATH=$PWD/node_modules/.bin:$PATH` only prepends tool folders. @param written not quoted as a whole */
function isToolPath(written: string): boolean {
  const parts = /^PATH=("?)(.*)\1$/s.exec(written)?.[2]?.split(':') ?? []
  const own = parts.filter((part) => !/^\$(?:PATH|\{PATH\})$/.test(part))
  return own.length === parts.length - 1 && own.every((part) => toolFolder.test(part))
}

/** Returns why setting this variable matters, or undefined. @param value null if only known at run time */
export function settingOf(
  name: string,
  written: string,
  value: string | null,
): Omit<Obstacle, 'span'> | undefined {
  if (isHarmlessVariable(name, value) || isAppendedPath(written)) return undefined
  if (isToolPath(written)) {
    const reason = `by "${written.slice(0, 200)}" programs are looked for in another folder first`
    return { kind: 'redefinition', reason, subject: written }
  }
  const reason = `"${shorten(written)}" sets a variable that can change what programs do`
  return { kind: 'environment', reason, subject: name }
}

/** `NAME=value`, `NAME+=value`, `NAME[index]=value`. */
export function assignmentIn(text: string): { readonly name: string; readonly value: string } | undefined {
  const [, name, value] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=(.*)$/s.exec(text) ?? []
  return name === undefined || value === undefined ? undefined : { name, value }
}
