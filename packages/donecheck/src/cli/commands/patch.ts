/** `donecheck patch`: prints what a patch would change, or applies it as a whole or not at all. */
import { readFile, stat } from 'node:fs/promises'
import { resolve, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { messageOf, UsageError } from '@donecheck/engine/base'
import {
  planInFolder,
  withNewFileModes,
  directFiles,
  rehearsedFiles,
  type RehearsedFiles,
} from '@donecheck/engine/files'
import {
  decodeUtf8,
  type Plan,
  invokeCompatible,
  unifiedDiffOf,
  type ChangeSet,
} from '@donecheck/engine/patch'
import { faultExitCode, usageExitCode, toUsageError } from '../process/failure.ts'
import type { CliIo } from '../process/io.ts'
import { patchJson, writePatchText } from '../output/patch-text.ts'
import { commitPlan, type PatchEnd } from '../patch/patch-commit.ts'

export type PatchTask = 'check' | 'apply'

interface PatchFlags {
  readonly root?: string
  readonly mode?: 'strict' | 'codex-compatible'
  readonly format?: 'v4a' | 'unified' | 'auto'
  readonly dryRun?: boolean
  readonly receipt?: string
  readonly json?: boolean
}

/**
 * Exits with 0 where it applies, 1 where it does not, 2 for a file or folder that is not there and for flags that contradict
 * each other, 70 where some files may be changed and others not.
 */
export async function patchCommand(
  task: PatchTask,
  file: string | undefined,
  flags: PatchFlags,
  io: CliIo,
): Promise<number> {
  try {
    if (flags.mode === 'codex-compatible') assertFitsCodex(flags)
    const root = await resolveFolder(flags, io)
    const patch =
      file === undefined || file === '-' ? undefined : await readBytes(resolve(io.currentFolder, file))
    return flags.mode === 'codex-compatible'
      ? await performAsCodex(task, { root, patch }, flags, io)
      : await perform(task, { root, patch }, flags, io)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return reportEnd({ kind: 'wrong-usage', problem: error.message }, flags, io)
  }
}

interface Given {
  readonly root: string
  /** Undefined: standard input is read. */
  readonly patch: Uint8Array | undefined
}

async function perform(
  task: PatchTask,
  { root, patch }: Given,
  flags: PatchFlags,
  io: CliIo,
): Promise<number> {
  const receiptFile = flags.receipt === undefined ? undefined : resolve(io.currentFolder, flags.receipt)
  const isDryRun = isDry(task, flags)
  const plan = await buildPlan(root, patch ?? (await buffer(io.stdin)), flags)
  return reportEnd(await commitPlan(plan, { root, isDryRun, receiptFile }), flags, io)
}

/** @throws {UsageError} for flags that the mode cannot keep to */
function assertFitsCodex({ format, receipt, json }: PatchFlags): void {
  const given = [
    ...(format === 'unified' ? ['--format unified'] : []),
    ...(receipt === undefined ? [] : ['--receipt']),
    ...(json === true ? ['--json'] : []),
  ]
  if (given.length > 0)
    throw new UsageError(`--mode codex-compatible has no ${given.join(' and no ')}; use --mode strict for it`)
}

/** What `apply_patch` of Codex would do and say, byte for byte, and its exit code. */
async function performAsCodex(
  task: PatchTask,
  { root, patch }: Given,
  flags: PatchFlags,
  io: CliIo,
): Promise<number> {
  const rehearsed = isDry(task, flags) ? rehearsedFiles() : undefined
  const words = patch === undefined ? [] : [patch]
  const { exitCode, stdout, stderr } = await invokeCompatible(
    { words, standardInput: () => buffer(io.stdin) },
    rehearsed ?? directFiles,
    root,
  )
  io.stderr.write(stderr)
  io.stdout.write(rehearsed === undefined ? stdout : unifiedDiffOf(await readChanges(rehearsed, root)))
  return exitCode
}

function isDry(task: PatchTask, flags: PatchFlags): boolean {
  return task === 'check' || flags.dryRun === true
}

function reportEnd(end: PatchEnd, flags: PatchFlags, io: CliIo): number {
  if (flags.json === true) io.stdout.write(`${patchJson(end)}\n`)
  else writePatchText(end, flags.receipt !== undefined, io)
  return exitCodeOf(end)
}

async function resolveFolder({ root = '.' }: PatchFlags, io: CliIo): Promise<string> {
  const folder = resolve(io.currentFolder, root)
  const isFolder = await stat(folder)
    .then((stats) => stats.isDirectory())
    .catch(() => false)
  if (!isFolder) throw new UsageError(`${folder} is not a folder; name one with --root`)
  return folder
}

function readBytes(path: string): Promise<Uint8Array> {
  return readFile(path).catch(toUsageError((error) => `${path} cannot be read: ${messageOf(error)}`))
}

async function buildPlan(root: string, bytes: Uint8Array, { format = 'auto' }: PatchFlags): Promise<Plan> {
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'invalid')
    return {
      kind: 'refused',
      problems: [{ kind: 'malformed', message: `the text is no UTF-8: ${decoded.problem}` }],
    }
  const plan = await planInFolder(root, decoded.text, format === 'auto' ? {} : { format })
  return plan.kind === 'planned' ? { ...plan, changes: withNewFileModes(plan.changes) } : plan
}

function exitCodeOf(end: PatchEnd): number {
  if (end.kind === 'changed' || end.kind === 'would-change') return 0
  if (end.kind === 'wrong-usage') return usageExitCode
  return end.kind === 'failed' && !end.rolledBack ? faultExitCode : 1
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
