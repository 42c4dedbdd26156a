/** Which files and scripts the command lines of the checks name. */

/** Words that start a shell script or an interpreter; what follows them is a file. */
const interpreters =
  /^(?:ba|z|da|k)?sh$|^(?:python|node|ruby|perl|php|deno|bun|tsx|ts-node|source|\.)[\d.]*$/u

const scriptName = /\.(?:sh|bash|zsh|py|mjs|cjs|js|ts|mts|cts|rb|pl|ps1|php)$/u

/** The paths that the commands name as programs to run, relative to the work folder. */
export function scriptsNamedIn(commands: readonly string[]): ReadonlySet<string> {
  const paths = commands.flatMap((command) => pathsIn(words(command)))
  return new Set(paths.map((path) => path.replace(/^(?:\.\/)+/u, '')))
}

function pathsIn(line: readonly string[]): readonly string[] {
  const named = line.filter((word, index) => {
    if (/^[-/]|^\w+=|:\/\//u.test(word)) return false
    const follows = interpreters.test(line[index - 1] ?? '')
    return word.startsWith('./') || scriptName.test(word) || (follows && word.includes('/'))
  })
  return [...named, ...makefilesFor(line)]
}

function makefilesFor(line: readonly string[]): readonly string[] {
  if (!line.some((word) => /^g?make$/u.test(word)))
    return line.includes('just') ? ['justfile', 'Justfile'] : []
  const file = line.indexOf('-f')
  const named = file === -1 ? undefined : line[file + 1]
  return named === undefined ? ['Makefile', 'makefile', 'GNUmakefile'] : [named]
}

function words(command: string): readonly string[] {
  return command.split(/[\s;&|()"'`]+/u).filter((word) => word !== '')
}

/** Names of the package scripts that a command line runs, such as `test` for `npm test` or `unit` for `pnpm run unit`. */
export function packageScriptsNamedIn(command: string): readonly string[] {
  const found = command.matchAll(
    /\b(?:npm|pnpm|yarn|bun)\b((?:\s+-[-\w=./@]+)*)\s+(?:(?:run|run-script)\s+)?(?:-\S+\s+)*([\w:.@/-]+)/gu,
  )
  const direct = [...found]
    .map((match) => match[2] ?? '')
    .map((name) => (name === 't' || name === 'tst' ? 'test' : name))
  const many = [...command.matchAll(/\b(?:npm-run-all|run-s|run-p)\b([^;&|]*)/gu)]
    .flatMap((match) => words(match[1] ?? ''))
    .filter((word) => !word.startsWith('-'))
  const node = [...command.matchAll(/\bnode\s+--run\s+([\w:.-]+)/gu)].map((match) => match[1] ?? '')
  return [...direct, ...many, ...node]
}
