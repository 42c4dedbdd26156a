/** Where a hook writes down what must not depend on the store: beside the records, or where those cannot be written, elsewhere. */
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../sha256.ts'
import { stateHome, type HomeSurroundings } from '../../state-home.ts'

/** In the order in which they are tried. They need not exist, nor need the user have a name (`docker run --user 12345`). */
export function ownFolders(name: string, surroundings: HomeSurroundings): readonly string[] {
  const own = join(stateHome(surroundings), 'donecheck')
  const elsewhere = join(tmpdir(), `donecheck-${process.getuid?.() ?? 'user'}`, sha256(own).slice(0, 16))
  return [join(own, name), join(elsewhere, name)]
}

/** What the work makes of the first folder in which it succeeds. Undefined: it does in none. */
export function inOwnFolder<Value>(
  name: string,
  surroundings: HomeSurroundings,
  work: (folder: string) => Value,
): Value | undefined {
  for (const folder of ownFolders(name, surroundings))
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
