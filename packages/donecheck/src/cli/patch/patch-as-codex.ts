import { relative } from 'node:path'
import { directFiles, rehearsedFiles, type RehearsedFiles } from '@donecheck/engine/files'
import { invokeCompatible, unifiedDiffOf, type ChangeSet } from '@donecheck/engine/patch'
import { UsageError } from '@donecheck/engine/base'
import type { PatchFlags } from './patch-options.ts'
import type { CliIo } from '../process/io.ts'

export interface CodexRequest {
  readonly root: string
  /** Undefined: standard input is read. */
  readonly patch: Uint8Array | undefined
  readonly standardInput: () => Promise<Uint8Array>
  readonly isDryRun: boolean
}

/** What `apply_patch` of Codex would do and say, byte for byte, and its exit code. */
export async function patchAsCodex(request: CodexRequest, io: CliIo): Promise<number> {
  const { root, patch, standardInput, isDryRun } = request
  const rehearsed = isDryRun ? rehearsedFiles() : undefined
  const words = patch === undefined ? [] : [patch]
  const { exitCode, stdout, stderr } = await invokeCompatible(
    { words, standardInput },
    rehearsed ?? directFiles,
    root,
  )
  io.stderr.write(stderr)
  io.stdout.write(rehearsed === undefined ? stdout : unifiedDiffOf(await readChanges(rehearsed, root)))
  return exitCode
}

/** @throws {UsageError} for flags that the mode cannot keep to */
export function assertFitsCodex({ format, receipt, outputFormat }: PatchFlags): void {
  const given = [
    ...(format === 'unified' ? ['--format unified'] : []),
    ...(receipt === undefined ? [] : ['--receipt']),
    ...(outputFormat === 'json' ? ['--output-format json'] : []),
  ]
  if (given.length > 0)
    throw new UsageError(`--mode codex-compatible has no ${given.join(' and no ')}; use --mode strict for it`)
}

/** Modes do not change, so that any will do. */
async function readChanges({ changed }: RehearsedFiles, root: string): Promise<ChangeSet> {
  const image = (bytes: Uint8Array | null) => (bytes === null ? null : { bytes, mode: 0o644 })
  const changes = [...changed].map(async ([path, after]) => {
    const found = await directFiles.read(path)
    const before = found.kind === 'read' ? found.bytes : null
    return { path: relative(root, path), before: image(before), after: image(after) }
  })
  return (await Promise.all(changes)).filter(({ before, after }) => before !== null || after !== null)
}
