/** What a program is given to run as text, in a word or on standard input: the paths that stand in it as they are. */
import { basename, dirname, resolve } from 'node:path'
import { isOwnPlace } from '../../ride/index.ts'
import type { FoundCommand } from '../../shell/index.ts'
import { foldersOf, type KeptPlaces } from './kept-folders.ts'

/** They run, or apply, a text that is given to them, and so may write to whatever is named in it. */
const runners =
  /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl[\d.]*|ruby[\d.]*|irb|php[\d.]*|lua[\d.]*|luajit|tclsh|expect|osascript|Rscript|julia|elixir|groovy|pwsh|powershell|[gmn]?awk|sed|ed|ex|vim?|nvim|emacs|patch|apply_?patch)$/u
/** Whatever else a word is, it is no path by itself. */
const isCode = (word: string) => /[\s'"`()<>;|]/u.test(word)

const encoding = String.raw`(?:encoding\s*=\s*)?["'](?:utf|ascii|latin)[\w-]*["']`
/** Expressions that open a file to read it and for nothing else. */
const readings = new RegExp(
  String.raw`\b(?:(?:open|openSync|readFile|readFileSync|readTextFile|readTextFileSync|require|File\.read|File\.readlines|IO\.read|file_get_contents|exists|existsSync|isfile|stat|statSync)\(\s*(["'])[^"'\n]*\1\s*(?:,\s*(?:mode\s*=\s*)?["']r[bt]?["']\s*)?(?:,\s*${encoding}\s*)?\)|Path\(\s*(["'])[^"'\n]*\2\s*\)\s*\.(?:read_text|read_bytes|exists|is_file|stat)\()`,
  'gu',
)
/** With these a folder is enough to take along what is in it. */
const removals = /rmtree|\brm|remov|unlink|delet|renam|move|replace/iu

/** The path of a place of ours that is named in code, and not only to be read; undefined: none is. */
export function placeInCode(commands: readonly FoundCommand[], places: KeptPlaces): string | undefined {
  const folders = foldersOf(commands, places)
  const above = new Set(
    places.ownPlaces.map((place) => dirname(place)).filter((path) => isAbove(path, places)),
  )
  return commands.flatMap(codeOf).flatMap((code) => {
    const isRemoving = removals.test(code)
    return pathsIn(code.replaceAll(readings, ' ')).filter((path) =>
      folders.some((folder) => {
        const absolute = resolve(folder, inFull(path, places))
        return isOwnPlace(absolute, places.ownPlaces) || (isRemoving && above.has(absolute))
      }),
    )
  })[0]
}

/** The work folder and the home folder hold far more than what is ours. */
function isAbove(path: string, { workFolder, homeFolder }: KeptPlaces): boolean {
  return path !== workFolder && path !== homeFolder && path !== dirname(path)
}

function codeOf({ words, input }: FoundCommand): readonly string[] {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  const name = basename(program)
  const isRunner = runners.test(name) || (name === 'git' && (rest.includes('apply') || rest.includes('am')))
  if (!isRunner) return []
  return [...rest.filter(isCode), ...(input === undefined ? [] : [input])]
}

/** Texts in quotes, two of them in a row, and what stands between blanks and brackets. */
function pathsIn(code: string): readonly string[] {
  const quoted = [...code.matchAll(/(["'`])((?:(?!\1)[^\n\\])*)\1/gu)].map(([, , text = '']) => text)
  const joined = quoted.slice(1).map((text, index) => `${quoted[index] ?? ''}/${text}`)
  const bare = code.split(/[\s"'`()[\]{},;=<>|&+]+/u)
  const all = [...quoted, ...joined, ...bare].filter((text) => text !== '')
  return [...all, ...all.map((text) => text.replace(/^[ab]\//u, ''))]
}

function inFull(path: string, { homeFolder }: KeptPlaces): string {
  return path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/u, homeFolder)
}
