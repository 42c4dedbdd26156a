/** Which files and scripts the command lines of the checks start. */
import { startedFiles } from './started-files.ts'

const scriptName = /\.(?:sh|bash|zsh|py|mjs|cjs|js|ts|mts|cts|rb|pl|ps1|php)$/u

/** The paths that the commands start as programs, relative to the work folder; those outside of it as they are written. */
export function scriptsNamedIn(commands: readonly string[]): ReadonlySet<string> {
  return new Set([...programsNamedIn(commands), ...commands.flatMap((line) => startedFiles(line).makefiles)])
}

/** The same without the files that make and its like read by themselves. */
export function programsNamedIn(commands: readonly string[]): ReadonlySet<string> {
  const paths = commands.flatMap((command) => {
    const { programs, folders } = startedFiles(command)
    return programs.flatMap((path) => [path, ...inFolders(path, folders)])
  })
  return new Set(paths.map(plainPath))
}

/** Whether its name tells that it is a script, and of which language. */
export function hasScriptName(path: string): boolean {
  return scriptName.test(path)
}

/** Names of the package scripts that a command line runs, such as `test` for `npm test` or `unit` for `pnpm run unit`. */
export function packageScriptsNamedIn(command: string): readonly string[] {
  return startedFiles(command).packageScripts
}

function inFolders(path: string, folders: readonly string[]): readonly string[] {
  return /^[/~]/u.test(path) ? [] : folders.map((folder) => `${folder}/${path}`)
}

/** Without what changes nothing: `./`, `a/../`, `//`, and the work folder by its variable. */
function plainPath(written: string): string {
  const parts: string[] = []
  for (const part of written.replace(/^\$(?:PWD|\{PWD\})\//u, '').split('/')) {
    if (part === '..' && parts.length > 0 && !['', '..', '~'].includes(parts.at(-1) ?? '')) parts.pop()
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part)
  }
  return parts.join('/')
}
