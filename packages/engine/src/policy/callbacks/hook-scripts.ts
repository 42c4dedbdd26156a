import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { scriptsNamedIn, startedFiles } from '../../analysis/protect/index.ts'
import { decompose, programName, scriptCallOf } from '../../analysis/shell/index.ts'
import { sha256 } from '../../base/index.ts'
import { nearestManifest } from '../../system/files/index.ts'

/** SHA-256 in hex by path; missing files have none. */
export type ScriptDigests = Readonly<Record<string, string>>

/** The script has changed: it does not run, and refuses if it can. */
export class ChangedScriptError extends TypeError {}

/** Files that the lines start, as they are now. */
export function digestHookScripts(lines: readonly string[], folder: string): ScriptDigests {
  return Object.fromEntries(
    lines.flatMap((line) =>
      filesOf(line, folder).flatMap((path) => {
        const digest = digestOf(resolve(folder, path))
        return digest === undefined ? [] : [[path, digest] as const]
      }),
    ),
  )
}

/** @throws {ChangedScriptError} if a script has changed */
export function assertScriptsUnchanged(line: string, folder: string, known: ScriptDigests): void {
  const now = digestHookScripts([line], folder)
  const changed = filesOf(line, folder).find((path) => now[path] !== known[path])
  if (changed !== undefined)
    throw new ChangedScriptError(
      `${changed} was changed since the run began; put it back, or start a new run`,
    )
}

interface UnfixedProgram {
  readonly program: string
  readonly looksInProject: boolean
}

/** Programs of a line if nothing of it can be pinned. */
export function unfixedProgramsOf(line: string, folder: string): readonly UnfixedProgram[] {
  if (Object.keys(digestHookScripts([line], folder)).length > 0) return []
  return commandsOf(line).map(([program = '']) => ({
    program,
    looksInProject: packageRunners.test(programName(program)),
  }))
}

const packageRunners = /^(?:npm|pnpm|yarn|bun|deno|npx|pnpx|bunx)$/u

const packageFiles = [
  'package.json',
  'deno.json',
  'deno.jsonc',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  'bunfig.toml',
]

/** Files that decide what a line does, including missing ones, which may appear. */
function filesOf(line: string, folder: string, within: readonly string[] = []): readonly string[] {
  const { modules, folders } = startedFiles(line)
  const places = ['', ...folders]
  const direct = [
    ...scriptsNamedIn([line]),
    ...places.flatMap((place) => modules.map((path) => join(place, path))),
  ]
  const calls = commandsOf(line).flatMap((words) => scriptCallOf(words) ?? [])
  const packaged = calls.flatMap((call) =>
    call.isElsewhere
      ? []
      : places.flatMap((place) =>
          filesOfScripts(call.scripts, resolve(folder, place, call.folder ?? ''), [...within, line]),
        ),
  )
  return [...new Set([...direct, ...packaged.map((path) => relative(folder, path))])]
}

/** Absolute; scripts are in the nearest manifest. */
function filesOfScripts(
  names: readonly string[],
  place: string,
  within: readonly string[],
): readonly string[] {
  const { folder, scripts } = nearestManifest(place) ?? { folder: place, scripts: {} }
  const texts = names.flatMap((name) => [`pre${name}`, name, `post${name}`].map((part) => scripts[part]))
  const own = [place, folder].flatMap((each) => packageFiles.map((name) => join(each, name)))
  const started = texts.flatMap((text) =>
    text === undefined || within.includes(text) ? [] : filesOf(text, folder, within),
  )
  return [...own, ...started.map((path) => resolve(folder, path))]
}

function commandsOf(line: string): readonly (readonly string[])[] {
  return decompose(line).commands.map(({ words }) => words.map(({ text }) => text ?? ''))
}

function digestOf(file: string): string | undefined {
  try {
    return sha256(readFileSync(file, 'latin1'))
  } catch {
    // A program on PATH, or a missing file.
    return undefined
  }
}
