/** What a program is given to run as text, in a word or on standard input: the paths that stand in it as they are. */
import { basename, dirname, relative, resolve } from 'node:path'
import { isOwnPlace } from '../../ride/index.ts'
import type { FoundCommand } from '../../shell/index.ts'
import { foldersOf, type KeptPlaces } from './kept-folders.ts'

/** They run, or apply, a text that is given to them, and so may write to whatever is named in it. */
const runners =
  /^(?:i?python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl[\d.]*|ruby[\d.]*|irb|php[\d.]*|lua[\d.]*|luajit|tclsh|expect|osascript|swift|fish|nu|xonsh|make|gmake|Rscript|julia|elixir|groovy|pwsh|powershell|[gmn]?awk|sqlite3|sed|ed|ex|vim?|nvim|emacs|patch|apply_?patch)$/u
/** Whatever else a word is, it is no path by itself. */
const isCode = (word: string) => /[\s'"`()<>;|]/u.test(word)

const encoding = String.raw`(?:encoding\s*=\s*)?["'](?:utf|ascii|latin)[\w-]*["']`
/** Expressions that open a file to read it and for nothing else. */
const readings = new RegExp(
  String.raw`\b(?:(?:open|openSync|readFile|readFileSync|readTextFile|readTextFileSync|require|File\.read|File\.readlines|IO\.read|file_get_contents|exists|existsSync|isfile|getsize|getmtime|stat|statSync)\(\s*(["'])[^"'\n]*\1\s*(?:,\s*(?:mode\s*=\s*)?["']r[bt]?["']\s*)?(?:,\s*${encoding}\s*)?\)|Path\(\s*(["'])[^"'\n]*\2\s*\)\s*\.(?:read_text|read_bytes|exists|is_file|stat)\()`,
  'gu',
)
/** With these a folder is enough to take along what is in it. */
const removals = /rmtree|\brm|remov|unlink|delet|renam|move|replace|chmod/iu

/** The path of a place of ours that is named in code, and not only to be read; undefined: none is. */
export function placeInCode(commands: readonly FoundCommand[], places: KeptPlaces): string | undefined {
  const folders = foldersOf(commands, places)
  const above = new Set(
    places.ownPlaces.map((place) => dirname(place)).filter((path) => isAbove(path, places)),
  )
  const tails = tailsOf(places)
  const readsCode = commands.some(readsCodeFromInput)
  const codes = commands.flatMap((found) => (readsCode && isText(found) ? textsOf(found) : codeOf(found)))
  return codes.flatMap((code) => {
    const isRemoving = removals.test(code)
    return pathsIn(code.replaceAll(readings, ' ')).filter((path) =>
      folders.some((folder) => {
        const absolute = resolve(folder, inFull(path, places))
        if (tails.has(path) || isOwnPlace(absolute, places.ownPlaces)) return true
        return isRemoving && (above.has(absolute) || (/[*?]/u.test(path) && above.has(dirname(absolute))))
      }),
    )
  })[0]
}

/** `/.claude/settings.json`, behind the name of a folder that is only known when it runs: `$PWD/…`, `homedir() + '/…'`. */
function tailsOf({ workFolder, homeFolder, ownPlaces }: KeptPlaces): ReadonlySet<string> {
  return new Set(
    ownPlaces.flatMap((place) =>
      [workFolder, homeFolder].flatMap((folder) => {
        const inside = relative(folder, place)
        return inside === '' || inside.startsWith('..') ? [] : [`/${inside}`]
      }),
    ),
  )
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

/** `… | python3`, `… | python3 -`: what another command of the line says may be its code. */
function readsCodeFromInput({ words, input }: FoundCommand): boolean {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  return runners.test(basename(program)) && input === undefined && rest.every((word) => word === '-')
}

function isText({ words }: FoundCommand): boolean {
  return /^(?:echo|printf|cat)$/u.test(basename(words[0]?.text ?? ''))
}

function textsOf({ words, input }: FoundCommand): readonly string[] {
  return [
    ...words.slice(1).map(({ text, written }) => text ?? written),
    ...(input === undefined ? [] : [input]),
  ]
}

/** Texts in quotes, two of them in a row, and what stands between blanks and brackets. */
export function pathsIn(code: string): readonly string[] {
  const quoted = [...code.matchAll(/(["'`])((?:(?!\1)[^\n\\])*)\1/gu)].map(([, , text = '']) => text)
  const joined = quoted
    .slice(1)
    .flatMap((text, index) => ['/', ''].map((between) => `${quoted[index] ?? ''}${between}${text}`))
  const bare = code.split(/[\s"'`()[\]{},;=<>|&+]+/u)
  const all = [...quoted, ...joined, ...bare]
    .map((text) => text.replace(/^[<>+|\s]+/u, ''))
    .filter((text) => text !== '')
  return [...all, ...all.map((text) => text.replace(/^[ab]\//u, ''))]
}

function inFull(path: string, { homeFolder }: KeptPlaces): string {
  return path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/u, homeFolder).replace(/^\$PWD\//u, './')
}
