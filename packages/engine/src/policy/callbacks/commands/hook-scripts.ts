/** The scripts that hooks are made of: an agent that could rewrite its guard would have none. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { scriptsNamedIn } from '../../../analysis/protect/index.ts'
import { sha256 } from '../../../base/index.ts'

/** SHA-256, hex, by the path that a command names. What is not there has none. */
export type ScriptDigests = Readonly<Record<string, string>>

/** Of the files that the lines start, as they are now. */
export function digestHookScripts(lines: readonly string[], folder: string): ScriptDigests {
  return Object.fromEntries(
    [...scriptsNamedIn(lines)].flatMap((path) => {
      const digest = digestOf(resolve(folder, path))
      return digest === undefined ? [] : [[path, digest] as const]
    }),
  )
}

/** @throws {TypeError} where one that the line starts is not as it was: nobody knows what it would answer */
export function assertScriptsUnchanged(line: string, folder: string, known: ScriptDigests): void {
  const now = digestHookScripts([line], folder)
  const changed = [...scriptsNamedIn([line])].find((path) => now[path] !== known[path])
  if (changed !== undefined)
    throw new TypeError(`${changed} was changed since the run began; put it back, or start a new run`)
}

function digestOf(file: string): string | undefined {
  try {
    return sha256(readFileSync(file, 'latin1'))
  } catch {
    // A program on PATH, or nothing: whoever starts it will see.
    return undefined
  }
}
