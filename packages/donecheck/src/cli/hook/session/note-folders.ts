/** Where a hook writes down what must not depend on the store. */
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256, stateHome, type HomeEnvironment } from '@donecheck/engine/base'

/**
 * Beside the records, or where those cannot be written, elsewhere: in the order in which they are tried. They need not exist, nor
 * need the user have a name (`docker run --user 12345`).
 */
export function noteFolders(kind: string, home: HomeEnvironment): readonly string[] {
  const own = join(stateHome(home), 'donecheck')
  const elsewhere = join(tmpdir(), `donecheck-${process.getuid?.() ?? 'user'}`, sha256(own).slice(0, 16))
  return [join(own, kind), join(elsewhere, kind)]
}

/** What the work returns for the first folder in which it succeeds; undefined: it does in none. */
export function inNoteFolder<Value>(
  kind: string,
  home: HomeEnvironment,
  work: (folder: string) => Value,
): Value | undefined {
  for (const folder of noteFolders(kind, home))
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (isOwn(folder)) return work(folder)
    } catch {
      continue
    }
  return undefined
}

/** Others may write to the folder for passing files. */
function isOwn(folder: string): boolean {
  const status = lstatSync(folder)
  return status.isDirectory() && (process.getuid === undefined || status.uid === process.getuid())
}
