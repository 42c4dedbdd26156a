/** Follows check command lines to any depth: scripts, package scripts, recipes, includes. */
import { contentsIn, matchesAny, startedFiles } from '../protect/index.ts'
import { isOwnProgram, namesACheck } from './by-name.ts'
import { judgesByItself, languageOf } from './languages.ts'
import type { ReadableTree } from './placement.ts'
import { fieldsOf, folderOf, join, jsonFields, resolvePath } from './paths.ts'

export interface CheckRuns {
  /** Path of each file that a shell starts or includes → what starts it: a line or a file. */
  readonly started: ReadonlyMap<string, string>
  /** Files and folders passed to a test runner. */
  readonly tests: ReadonlySet<string>
  /** Files passed as arguments, settings or input → the line or the file that passes them. */
  readonly handed: ReadonlyMap<string, string>
  /** Words of the command lines that may be paths or patterns. */
  readonly named: ReadonlySet<string>
  /** Command lines and the texts of files they lead to. */
  readonly lines: readonly Line[]
}

interface Line {
  readonly text: string
  readonly folders: readonly string[]
  readonly from: string
  /** Files that it includes in addition to those in its commands. */
  readonly handed?: readonly string[]
}

const maxLines = 2_000

export function checkRunsOf(checkLines: readonly string[], tree: ReadableTree): CheckRuns {
  const started = new Map<string, string>()
  const tests = new Set<string>()
  const handed = new Map<string, string>()
  const asked = { output: new Set<string>(), more: new Set<string>() }
  const lines: Line[] = checkLines.map((text) => ({ text, folders: [''], from: text }))
  const seen = new Set<string>()
  for (const line of lines) {
    const key = `${line.folders.join(':')}\n${line.text}\n${line.handed?.join(' ') ?? ''}`
    if (seen.has(key) || seen.size >= maxLines) continue
    seen.add(key)
    const found = startedFiles(line.text)
    const folders = [...new Set([...line.folders, ...inFolders(found.folders, line.folders)])]
    for (const path of inFolders(found.tests, folders)) tests.add(path)
    for (const path of inFolders([...found.handed, ...(line.handed ?? [])], folders))
      if (!handed.has(path)) handed.set(path, line.from)
    const captured = new Set(inFolders(found.captured, folders))
    for (const path of inFolders([...found.programs, ...found.modules], folders)) {
      ;(captured.has(path) ? asked.output : asked.more).add(path)
      if (started.has(path)) continue
      started.set(path, line.from)
      lines.push(...linesOfScript(path, folders, tree))
    }
    for (const path of found.startsUnknown ? pathsNamedIn(line.text, folders, tree) : []) {
      if (started.has(path)) continue
      started.set(path, line.from)
      // What it starts may be under test; what it includes is part of it.
      const sourcing = tree.text(path)?.match(/^[ \t]*(?:\.|source)[ \t][^\n]+/gmu) ?? []
      if (isShell(path, tree))
        lines.push({ text: sourcing.join('\n'), folders: foldersOf(path, folders), from: path })
    }
    for (const folder of folders)
      lines.push(
        ...linesOfScripts(found.packageScripts, join(folder, 'package.json'), 'scripts', tree),
        ...linesOfScripts(found.denoTasks, join(folder, 'deno.json'), 'tasks', tree),
        ...linesOfMake(found.makefiles, folder, tree),
      )
  }
  // A program whose output a check compares is under test.
  for (const path of asked.output)
    if (!asked.more.has(path) && !namesACheck(path) && !judgesByItself(tree.text(path) ?? ''))
      started.delete(path)
  return { started, tests, handed, named: new Set(checkLines.flatMap(wordsIn)), lines }
}

function wordsIn(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/(?:^|\s)#.*$/u, '').slice(0, 4_096))
  return lines.flatMap(
    (line) => line.match(/(?<![\w@.+~*/-])[\w@.+~*][\w@.+~*-]*(?:\/[\w@.+~*-]+)*\/?/gu) ?? [],
  )
}

function pathsNamedIn(text: string, folders: readonly string[], tree: ReadableTree): readonly string[] {
  const patterns = inFolders(wordsIn(text), folders)
  if (patterns.length === 0) return []
  const globs = [...patterns, ...patterns.map((pattern) => `${pattern}/**`)]
  return [...tree.paths()].filter((path) => languageOf(path) !== 'settings' && matchesAny(path, globs))
}

/** Returns files that only checks start; product programs are excluded. */
export function startedByChecks(checkLines: readonly string[], tree: ReadableTree): ReadonlySet<string> {
  return new Set([...checkRunsOf(checkLines, tree).started.keys()].filter((path) => !isOwnProgram(path)))
}

function linesOfScript(path: string, folders: readonly string[], tree: ReadableTree): readonly Line[] {
  return isShell(path, tree)
    ? [{ text: tree.text(path) ?? '', folders: foldersOf(path, folders), from: path }]
    : []
}

function foldersOf(path: string, folders: readonly string[]): readonly string[] {
  return [...new Set([...folders, folderOf(path)])]
}

function isShell(path: string, tree: ReadableTree): boolean {
  return [undefined, 'shell'].includes(languageOf(path)) && !/^#!(?!.*sh\b)/u.test(tree.text(path) ?? '#!')
}

/** @param from manifest field that contains the scripts */
function linesOfScripts(
  names: readonly string[],
  from: string,
  field: 'scripts' | 'tasks',
  tree: ReadableTree,
): readonly Line[] {
  if (names.length === 0) return []
  const scripts = scriptsOf(tree.text(from), field)
  return names
    .flatMap((name) => [`pre${name}`, name, `post${name}`])
    .flatMap((name) => {
      const pattern = name.replace(/[*{].*$/u, '')
      return scripts.filter(([key]) => key === name || (pattern !== name && key.startsWith(pattern)))
    })
    .map(([, text]) => ({ text, folders: [folderOf(from)], from }))
}

/** A Deno task is a text, or an object with one. */
function scriptsOf(manifest: string | null, field: string): readonly (readonly [string, string])[] {
  const scripts = jsonFields(manifest).find(([key]) => key === field)?.[1]
  return fieldsOf(scripts).flatMap(([key, value]) => {
    const text = typeof value === 'string' ? value : fieldsOf(value).find(([name]) => name === 'command')?.[1]
    return typeof text === 'string' ? [[key, text]] : []
  })
}

/** Returns all recipes, because only make can resolve targets. */
function linesOfMake(names: readonly string[], folder: string, tree: ReadableTree): readonly Line[] {
  return inFolders(names, [folder]).flatMap((from) => {
    const text = tree.text(from) ?? ''
    const included = [...text.matchAll(/^[ \t]*-?s?include[ \t]+([^\n#]+)/gmu)].flatMap(([, list = '']) =>
      list.trim().split(/\s+/u),
    )
    const recipes = text
      .replaceAll(/\\\n/gu, ' ')
      .split('\n')
      .filter((line) => /^(?:\t| {2,})\S/u.test(line))
      .map((line) =>
        line
          .trim()
          .replace(/^[@+-]+/u, '')
          .replaceAll(/\$[({]MAKE[)}]/gu, 'make')
          .replaceAll('$$', '$'),
      )
    return [
      { text: '', folders: [folder], from, handed: contentsIn(text) },
      ...recipes.map((line): Line => ({ text: line, folders: [folder], from })),
      ...included.map((name): Line => ({ text: `make -f ${name}`, folders: [folder], from })),
    ]
  })
}

/** Returns the path in each folder where the line may run, within the work folder. */
function inFolders(paths: readonly string[], folders: readonly string[]): readonly string[] {
  const resolved = paths.flatMap((path) => {
    if (/^[/~]/u.test(path)) return []
    const plain = path.replace(/^\$(?:PWD|\{PWD\})\//u, '')
    return folders.flatMap((folder) => resolvePath(folder, plain) ?? [])
  })
  return [...new Set(resolved.filter((path) => path !== ''))]
}
