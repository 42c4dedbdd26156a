/** What must not be touched, and what of a line may touch it all the same: its words, its code, and the scripts that it runs. */
import { basename } from 'node:path'
import {
  decompose,
  type Decomposition,
  runsScript,
  textsWrittenAndRun,
  type FoundCommand,
} from '@donecheck/engine/shell'
import { findMovedFolder } from './moved-folders.ts'
import { findOverwrittenPlace } from './copied-over.ts'
import { type ProtectedPlaces, resolveWord, foldersOf } from './protected-places.ts'
import { findPlaceInCode, isRunner } from './places-in-code.ts'
import { findPlaceBeforeUnknown, findPlaceInWords } from './places-in-command.ts'
import { readSmallFile } from '../files.ts'

/** A script that writes a script that writes a script is nothing that anybody types. */
const maxDepth = 2

/** As it is written; undefined: nothing of it is named by what may change it. */
export function findTouchedPlace(
  script: string,
  line: Decomposition,
  places: ProtectedPlaces,
  depth = 0,
): string | undefined {
  const { written, found } = readRunTexts(line, places)
  const named =
    findOverwrittenPlace(line, places) ??
    findMovedFolder(line.commands, places) ??
    findPlaceInCode(line.commands, places, written) ??
    findPlaceInWords(line, places) ??
    findPlaceBeforeUnknown(script, line, places)
  if (named !== undefined || depth >= maxDepth) return named
  const inner = written.flatMap((text) => findTouchedPlace(text, decompose(text), places, depth + 1) ?? [])
  return inner[0] ?? found.flatMap((file) => findPlaceInFile(file, places) ?? [])[0]
}

/** A file of the project: only what it names as a whole, for nobody knows where it goes before. */
function findPlaceInFile(
  { text, isShell }: RunTexts['found'][number],
  places: ProtectedPlaces,
): string | undefined {
  const line = decompose(text)
  const isRead = isShell && line.obstacles.every(({ kind }) => kind !== 'syntax')
  return isRead ? findPlaceInWords(line, places) : findPlaceInCode([], places, [text])
}

interface RunTexts {
  /** That the line itself writes, or may write. */
  readonly written: readonly string[]
  /** That lie there, for a shell or for another program. */
  readonly found: readonly { readonly text: string; readonly isShell: boolean }[]
}

const installed = /\/node_modules\/|^\/(?:usr|bin|sbin|lib\w*|opt|nix|dev|proc)\//u
/** What a runner puts behind a name. */
const endings = ['', '.js', '.mjs', '.cjs', '.ts', '/index.js']

function readRunTexts(line: Decomposition, places: ProtectedPlaces): RunTexts {
  const { commands, reads = [] } = line
  const running = commands.filter(runsFile)
  if (running.length === 0) return { written: [], found: [] }
  const folders = foldersOf(commands, places)
  const given = (words: readonly string[], isShell: boolean) =>
    [...new Set(words.flatMap((word) => folders.map((folder) => resolveWord(word, folder, places))))]
      .filter((path) => !installed.test(path))
      .flatMap((path) => readSmallFile(path) ?? [])
      .map((text) => ({ text, isShell }))
  const shells = running.filter(runsScript)
  const others = running.filter((found) => !runsScript(found))
  const input = reads.flatMap(({ path }) => path ?? [])
  return {
    written: textsWrittenAndRun(line, runsFile),
    found: [
      ...given(shells.flatMap(scriptsRunBy), true),
      ...given(others.length === 0 ? [] : [...others.flatMap(scriptsRunBy), ...input], false),
    ],
  }
}

function runsFile(found: FoundCommand): boolean {
  const [program = '', ...rest] = found.words.map(({ text, written }) => text ?? written)
  return runsScript(found) || isRunner(program, rest)
}

function scriptsRunBy({ words }: FoundCommand): readonly string[] {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  const operands = rest.filter((word) => word !== '' && !/^-|[\s;()]/u.test(word)).slice(0, 9)
  const isNode = /^(?:node|nodejs|bun|deno|tsx)$/u.test(basename(program))
  return [
    ...(program.includes('/') ? [program] : []),
    ...(isNode ? operands.flatMap((word) => endings.map((ending) => `${word}${ending}`)) : operands),
    ...(/^g?make$/u.test(basename(program)) ? ['GNUmakefile', 'makefile', 'Makefile'] : []),
  ]
}
