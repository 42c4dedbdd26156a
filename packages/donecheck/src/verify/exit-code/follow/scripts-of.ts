import { resolve } from 'node:path'
import type { Reading } from '../reading.ts'
import { makeScripts } from './makefile.ts'
import { packageScripts } from './package-script.ts'
import type { Script } from './script.ts'
import { shellScripts } from './shell-script.ts'

/**
 * The scripts that a program runs one after the other, as they are now: those of package.json, Makefiles and shell
 * scripts. None: it leads to none that can be read.
 */
export function scriptsOf(
  words: readonly string[],
  folder: string | undefined,
  { root }: Reading,
): readonly Script[] {
  if (folder === undefined) return []
  const place = resolve(root, folder)
  const found = packageScripts(words, place, root)
  if (found.length > 0) return found
  const made = makeScripts(words, place, root)
  return made.length > 0 ? made : shellScripts(words, place, root)
}
