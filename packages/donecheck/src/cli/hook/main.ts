import { realpathSync, writeSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { answerHook } from './answer-hook.ts'
import type { HookInput } from './input/read-input.ts'
import { answerToPerson } from './input/help.ts'

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

function programFolder(program: string | undefined): string | undefined {
  try {
    return program === undefined ? undefined : dirname(dirname(realpathSync.native(program)))
  } catch {
    return undefined
  }
}

/** Synchronous, because the process exits right after. */
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
