/** Variables whose value is run as a command, or that change how the line itself is read. */
const names: readonly RegExp[] = [
  /^(?:PATH|FPATH|CDPATH|IFS|ENV|BASH_\w+|BASHOPTS|SHELL|SHELLOPTS|PS\d|PROMPT_COMMAND|ZDOTDIR|HISTFILE)$/u,
  /^(?:LD|DYLD)_\w+$/u,
  /^GIT_(?!AUTHOR_|COMMITTER_)\w+$/u,
  /^(?:\w+_)?(?:EDITOR|PAGER|BROWSER|ASKPASS|SHELL|RSH|SSH|COMMAND|CMD|EXEC|WRAPPER|LAUNCHER|HELPER)$/u,
  /^(?:VISUAL|LESSOPEN|LESSCLOSE|MAKEFLAGS|GNUMAKEFLAGS|SUDO_\w+)$/u,
]

/** Also of a name that is none. */
export function isRunVariable(name: string): boolean {
  return !/^[A-Z_][A-Z0-9_]*$/u.test(name) || names.some((pattern) => pattern.test(name))
}
