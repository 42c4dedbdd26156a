/** `donecheck patch`: what a patch would change, applied as a whole or not at all, and taken back. */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { UsageError } from '@donecheck/engine/base'
import {
  confinedFiles,
  defaultJournalFolder,
  planInFolder,
  recoverChanges,
  withNewFileModes,
  type Recovery,
} from '@donecheck/engine/files'
import { decodeUtf8, planReceipt, type Plan, type ReceiptPlan } from '@donecheck/engine/patch'
import { faultExitCode, usageExitCode } from '../process/exit-code.ts'
import type { CliIo } from '../process/io.ts'
import { patchJson, recoveryLines, writePatchText } from '../output/patch-text.ts'
import { assertFitsCodex, patchAsCodex } from '../patch/patch-as-codex.ts'
import { commitPlan } from '../patch/patch-commit.ts'
import type { PatchEnd } from '../patch/patch-end.ts'
import type { PatchFlags, PatchTask } from '../patch/patch-options.ts'

/**
 * Exits with 0 where it applies, 1 where it does not, 2 for a file or folder that is not there and for flags that contradict
 * each other, 70 where some files may be changed and others not. First settles what was left of an earlier change of the
 * folder.
 */
export async function patchCommand(
  task: PatchTask,
  file: string | undefined,
  flags: PatchFlags,
  io: CliIo,
): Promise<number> {
  let recoveries: readonly Recovery[] = []
  try {
    if (flags.mode === 'codex-compatible') assertFitsCodex(flags)
    const root = await resolveFolder(flags, io)
    const patch =
      file === undefined || file === '-' ? undefined : await readBytes(resolve(io.currentFolder, file))
    const journalFolder = defaultJournalFolder(io)
    recoveries = await recoverChanges(root, { journalFolder })
    return flags.mode === 'codex-compatible'
      ? await performAsCodex(task, { root, patch, recoveries }, flags, io)
      : await perform(task, { root, patch, recoveries, journalFolder }, flags, io)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return reportEnd({ kind: 'wrong-usage', problem: error.message, recoveries }, flags, io)
  }
}

interface Given {
  readonly root: string
  /** Undefined: standard input is read. */
  readonly patch: Uint8Array | undefined
  readonly recoveries: readonly Recovery[]
}

async function perform(
  task: PatchTask,
  { root, patch, recoveries, journalFolder }: Given & { readonly journalFolder: string },
  flags: PatchFlags,
  io: CliIo,
): Promise<number> {
  const receiptFile = flags.receipt === undefined ? undefined : resolve(io.currentFolder, flags.receipt)
  const isDryRun = isDry(task, flags)
  const plan = await buildPlan(task, root, patch ?? (await buffer(io.stdin)), flags)
  return reportEnd(
    await commitPlan(plan, { root, journalFolder, isDryRun, recoveries, receiptFile }),
    flags,
    io,
  )
}

function performAsCodex(
  task: PatchTask,
  { root, patch, recoveries }: Given,
  flags: PatchFlags,
  io: CliIo,
): Promise<number> {
  for (const { text } of recoveries.flatMap(recoveryLines)) io.stderr.write(`donecheck: ${text}\n`)
  const standardInput = () => buffer(io.stdin)
  return patchAsCodex({ root, patch, standardInput, isDryRun: isDry(task, flags) }, io)
}

function isDry(task: PatchTask, flags: PatchFlags): boolean {
  return task === 'check' || flags.dryRun === true
}

function reportEnd(end: PatchEnd, flags: PatchFlags, io: CliIo): number {
  if (flags.outputFormat === 'json') io.stdout.write(`${patchJson(end)}\n`)
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

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${path} cannot be read: ${problem}`, { cause: error })
  }
}

async function buildPlan(
  task: PatchTask,
  root: string,
  bytes: Uint8Array,
  { format = 'auto' }: PatchFlags,
): Promise<Plan | ReceiptPlan> {
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'invalid')
    return {
      kind: 'refused',
      problems: [{ kind: 'malformed', message: `the text is no UTF-8: ${decoded.problem}` }],
    }
  if (task === 'reverse') return planReceipt(decoded.text, confinedFiles(root))
  const plan = await planInFolder(root, decoded.text, format === 'auto' ? {} : { format })
  // Not for a receipt: it knows the mode of every file that it brings back.
  return plan.kind === 'planned' ? { ...plan, changes: withNewFileModes(plan.changes) } : plan
}

function exitCodeOf(end: PatchEnd): number {
  if (end.kind === 'changed' || end.kind === 'would-change') return 0
  if (end.kind === 'wrong-usage') return usageExitCode
  return end.kind === 'failed' && !end.rolledBack ? faultExitCode : 1
}
