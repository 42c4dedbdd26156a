import { resolve } from 'node:path'
import { readShell } from '../read-shell.ts'
import type { Invocation } from '../shell-state.ts'
import { makeScripts } from './makefile.ts'
import { packageScripts } from './package-script.ts'
import type { Script } from './script.ts'
import { shellScripts } from './shell-script.ts'

/** Scripts that call scripts. */
export const deepestLevel = 5

/** The scripts that one program of a text in `base` runs: those of package.json, Makefiles and shell scripts. */
export async function scriptsOf(
  { words, folder }: Invocation,
  base: string,
  root: string,
): Promise<readonly Script[]> {
  const place = resolve(base, folder)
  const found = await Promise.all([
    packageScripts(words, place, root),
    makeScripts(words, place, root),
    shellScripts(words, place, root),
  ])
  return found.flat()
}

/** All that a line in a folder leads to through up to five levels, as they are now. Never rejects. */
export async function scriptsBehind(line: string, root: string): Promise<readonly Script[]> {
  const found: Script[] = []
  const seen = new Set<string>()
  let texts: readonly Pick<Script, 'text' | 'folder'>[] = [{ text: line, folder: root }]
  for (let level = 1; level <= deepestLevel && texts.length > 0; level += 1) {
    const next: Script[] = []
    for (const { text, folder } of texts)
      for (const invocation of readShell(text).invocations)
        for (const script of await scriptsOf(invocation, folder, root)) {
          const key = JSON.stringify([script.where, script.text])
          if (!seen.has(key)) next.push(script)
          seen.add(key)
        }
    found.push(...next)
    texts = next
  }
  return found
}
