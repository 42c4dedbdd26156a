/** Variables whose value changes nothing but how a program talks, or that only the shell itself reads. */

const harmless = new Set(
  (
    'CI NODE_ENV DEBUG FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS LINES TERM LANG LANGUAGE TZ VERBOSE ' +
    'RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED NODE_NO_WARNINGS CGO_ENABLED GOOS GOARCH ' +
    'GIT_TERMINAL_PROMPT DEBIAN_FRONTEND NO_UPDATE_NOTIFIER OLDPWD PORT HOST ' +
    // As people call the variables of a line.
    'FILE FILES DIR DIRS NAME NAMES COUNT TOTAL NUM N I LINE RESULT OUTPUT OUT STATUS MSG MESSAGE PATTERN BRANCH COMMIT VERSION ' +
    'START END ROOT BASE TARGET'
  ).split(' '),
)
const editors = new Set('EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR'.split(' '))
const pagers = new Set('PAGER GIT_PAGER GH_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER'.split(' '))
/** Small letters, and all the same more than a variable of the script: what they set is read by programs or by `zsh`. */
const powerful =
  /^(npm_config_.*|pip_.*|.*_proxy|path|fpath|cdpath|manpath|module_path|mailpath|histchars|_)$/i

/** Whether setting it can be passed over; `value` null: only known when it runs. */
export function isHarmlessVariable(name: string, value: string | null): boolean {
  // No shell sets what is no name; `env` does, and a shell takes functions from there.
  if (!/^[A-Za-z_]\w*$/.test(name) || powerful.test(name)) return false
  if (pagers.has(name)) return value !== null && isHarmlessPager(value)
  if (editors.has(name)) return value !== null && isHarmlessEditor(value)
  return /[a-z]/.test(name) || harmless.has(name) || /^LC_[A-Z]+$/.test(name)
}

export function isHarmlessPager(value: string): boolean {
  return value === 'cat' || value === ''
}

/** It leaves the text as it is, or lets a person change it. */
export function isHarmlessEditor(value: string): boolean {
  return /^(?:true|:|cat|vi|vim|nvim|nano|emacs|code --wait|code -w)$/.test(value)
}

/** `PATH=$PATH:more`: every name that means a program goes on to mean the same. @param written not quoted as a whole */
export function isAppendedPath(written: string): boolean {
  return /^PATH="?\$(?:PATH|\{PATH\})"?:/.test(written)
}

/** Where the tools of a project and of its user are installed. */
const toolFolder =
  /^(?:\$(?:PWD|HOME|\{PWD\}|\{HOME\}|\(pwd\))\/|\.\/|~\/)?(?:[\w@-][\w.@-]*\/)*(?:node_modules\/\.bin|\.?venv\/bin|\.local\/bin|\.cargo\/bin|\.bun\/bin|\.deno\/bin|go\/bin)\/?$/

/** `PATH=$PWD/node_modules/.bin:$PATH`: programs of that folder come first, and no others. @param written not quoted as a whole */
export function isToolPath(written: string): boolean {
  const value = /^PATH=("?)(.*)\1$/s.exec(written)?.[2]
  const parts = value?.split(':') ?? []
  const own = parts.filter((part) => !/^\$(?:PATH|\{PATH\})$/.test(part))
  return own.length === parts.length - 1 && own.every((part) => toolFolder.test(part))
}

export function toolPathReason(written: string): string {
  return `by "${written.slice(0, 200)}" programs are looked for in another folder first`
}

/** `NAME=value`, `NAME+=value`, `NAME[index]=value`. */
export function assignmentIn(text: string): { readonly name: string; readonly value: string } | undefined {
  const [, name, value] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=(.*)$/s.exec(text) ?? []
  return name === undefined || value === undefined ? undefined : { name, value }
}
