import { readFileSync, statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { VerifierContext } from '../../../ports/checks.ts'
import { checkRunsOf, type ReadableTree } from '../../../analysis/sides/index.ts'

interface LineAndEnvironment {
  readonly line: string
  readonly environment: Readonly<Record<string, string>>
}

type LineInCopy =
  | (LineAndEnvironment & {
      readonly kind: 'line'
      readonly notes: readonly string[]
    })
  /** The line would check the work folder instead of the copy. Continues a sentence. */
  | { readonly kind: 'elsewhere'; readonly reason: string }

/** Makes line and variables name the copy. Refuses scripts that name the work folder. */
export async function lineInCopy(
  asked: LineAndEnvironment,
  { workFolder, projectFolder }: Pick<VerifierContext, 'workFolder' | 'projectFolder'>,
): Promise<LineInCopy> {
  const unchanged = { kind: 'line', ...asked, notes: [] } as const
  if (workFolder === null || projectFolder === undefined || projectFolder === null) return unchanged
  if (await isSameFolder(workFolder, projectFolder)) return unchanged
  const spellings = await findSpellings(projectFolder, workFolder, process.env['HOME'])
  const line = withFolder(asked.line, spellings)
  for (const { from, text } of checkRunsOf([line], treeOf(workFolder)).lines) {
    if (withFolder(text, spellings) === text) continue
    return {
      kind: 'elsewhere',
      reason: `${from} names the work folder by its absolute path, so that it looks past the copy of the tree that is to be checked; name it relative to the project`,
    }
  }
  const changed = Object.entries(asked.environment).map(
    ([name, value]) => [name, withFolder(value, spellings)] as const,
  )
  const names = changed.flatMap(([name, value]) => (value === asked.environment[name] ? [] : [name]))
  const places = [...(line === asked.line ? [] : ['the line']), ...names]
  const notes =
    places.length === 0
      ? []
      : [
          `${places.join(', ')} named the work folder ${projectFolder}: the copy that is checked stands for it`,
        ]
  return { kind: 'line', line, environment: Object.fromEntries(changed), notes }
}

const largestScriptBytes = 1024 * 1024

export function treeOf(folder: string): ReadableTree {
  const text = (path: string): string | null => {
    try {
      const file = join(folder, path)
      const stats = statSync(file)
      return stats.isFile() && stats.size <= largestScriptBytes ? readFileSync(file, 'utf8') : null
    } catch {
      return null
    }
  }
  return { has: (path) => text(path) !== null, paths: () => [], text }
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  if (one === other) return true
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => path)))
  return first === second
}

interface Spelling {
  readonly from: string
  readonly to: string
}

/** Lists spellings of a folder: as given, real path, escaped spaces, home-relative. Longest first. */
export async function findSpellings(
  folder: string,
  to: string,
  home: string | undefined,
): Promise<readonly Spelling[]> {
  const given = resolve(folder)
  const paths = [...new Set([given, await realpath(given).catch(() => given)])]
  const spellings = paths.flatMap((path): readonly Spelling[] => [
    { from: path, to },
    ...(path.includes(' ') ? [{ from: escapeSpaces(path), to: escapeSpaces(to) }] : []),
    ...fromHome(path, home).map((from) => ({ from, to })),
  ])
  return spellings.sort((one, other) => other.from.length - one.from.length)
}

function escapeSpaces(path: string): string {
  return path.replaceAll(' ', String.raw`\ `)
}

function fromHome(path: string, home: string | undefined): readonly string[] {
  if (home === undefined || home === '/' || !path.startsWith(`${home}/`)) return []
  const rest = path.slice(home.length)
  return ['~', '$HOME', '${HOME}'].map((start) => `${start}${rest}`)
}

/** A path starts here: not inside a word, except after `-C` and the like. */
const begins = String.raw`(?:(?<![\w.~\\$}-])|(?<=(?:^|\s)-[A-Za-z]))`
const ends = String.raw`(?![\w.~-])`

/** Replaces every spelling that is a whole path or the start of one. */
export function withFolder(text: string, spellings: readonly Spelling[]): string {
  const alternatives = spellings
    .map(({ from }) => from.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join('|')
  if (alternatives === '') return text
  const pattern = new RegExp(`${begins}(?:${alternatives})${ends}`, 'g')
  return text.replaceAll(pattern, (found) => spellings.find(({ from }) => from === found)?.to ?? found)
}
