import { decodeUtf8 } from '../utf8.ts'
import { applyCompatible, type CompatibleResult } from './apply.ts'
import type { CompatibleFiles } from './port.ts'

/** How the program was started. */
export interface CompatibleInvocation {
  /** Without the name of the program; the one argument is the patch. */
  readonly words: readonly (string | Uint8Array)[]
  /** Read where there is no argument. */
  readonly standardInput: () => Promise<Uint8Array>
}

const usage = "Usage: apply_patch 'PATCH'\n       echo 'PATCH' | apply_patch\n"

/**
 * The command `apply_patch` of the reference, from its arguments on.
 * @throws what `standardInput` throws
 */
export async function invokeCompatible(
  { words, standardInput }: CompatibleInvocation,
  files: CompatibleFiles,
  folder: string,
): Promise<CompatibleResult> {
  const [patch] = words
  if (words.length > 1)
    return { exitCode: 2, stdout: '', stderr: 'Error: apply_patch accepts exactly one argument.\n' }
  if (patch !== undefined) return applyCompatible(patch, files, folder)
  const bytes = await standardInput()
  if (bytes.length === 0) return { exitCode: 2, stdout: '', stderr: usage }
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'text') return applyCompatible(decoded.text, files, folder)
  const stderr = 'Error: Failed to read PATCH from stdin.\nstream did not contain valid UTF-8\n'
  return { exitCode: 1, stdout: '', stderr }
}
