import { realpathSync, writeSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { answerHook } from './answer-hook.ts'
import type { HookInput } from './input/read-input.ts'
import { answerToPerson } from './input/help.ts'

/** Resolves to the exit code of `donecheck hook`. @param input where it was read already */
export async function hookMain(words: readonly string[], input?: HookInput): Promise<number> {
  const homeFolder = homedir() === '' ? userInfo().homedir : homedir()
  const around = {
    ...{ environment: process.env, homeFolder, currentFolder: process.cwd() },
    sinceStartMs: () => performance.now(),
    programFolder: programFolder(process.argv[1]),
    ...(input === undefined ? {} : { input: () => input }),
  }
  const { exitCode, stdout, stderr } = answerToPerson(words) ?? (await answerHook(words, around))
  if (stderr !== '') writeAll(2, stderr)
  if (stdout !== '') writeAll(1, stdout)
  return exitCode
}

/** Of `…/bin/donecheck.js`, links followed. */
function programFolder(program: string | undefined): string | undefined {
  try {
    return program === undefined ? undefined : dirname(dirname(realpathSync.native(program)))
  } catch {
    return undefined
  }
}

/** At once and in full: the process ends right after. Whoever has stopped reading does not want it. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code !== 'EAGAIN') return
    }
  }
}
