import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { messageOf, UsageError } from '@donecheck/engine/base'
import { planInFolder, withNewFileModes } from '@donecheck/engine/files'
import { decodeUtf8, type Plan } from '@donecheck/engine/patch'
import { faultExitCode, usageExitCode, toUsageError } from '../process/failure.ts'
import type { CliIo } from '../process/io.ts'
import { patchJson, writePatchText } from '../output/patch-text.ts'
import { commitPlan, type PatchEnd } from '../patch/patch-commit.ts'
import type { Flags } from '../options/flags.ts'

export type PatchTask = 'check' | 'apply'

type PatchFlags = Flags<'root' | 'receipt', 'dryRun' | 'json'> & {
  readonly format?: 'v4a' | 'unified' | 'auto'
}

/** Exits with 0 if it applies, 1 if not, 2 for wrong usage, 70 if only some files may have changed. */
export async function patchCommand(
  task: PatchTask,
  file: string | undefined,
  flags: PatchFlags,
  io: CliIo,
): Promise<number> {
  try {
    const root = await resolveFolder(flags, io)
    const patch =
      file === undefined || file === '-' ? undefined : await readBytes(resolve(io.currentFolder, file))
    return await perform(task, { root, patch }, flags, io)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return reportEnd({ kind: 'wrong-usage', problem: error.message }, flags, io)
  }
}

interface Given {
  readonly root: string
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
  if (decoded === undefined)
    return { kind: 'refused', problems: [{ kind: 'malformed', message: 'the text is no UTF-8' }] }
  const plan = await planInFolder(root, decoded, format === 'auto' ? {} : { format })
  return plan.kind === 'planned' ? { ...plan, changes: withNewFileModes(plan.changes) } : plan
}

function exitCodeOf(end: PatchEnd): number {
  if (end.kind === 'changed' || end.kind === 'would-change') return 0
  if (end.kind === 'wrong-usage') return usageExitCode
  return end.kind === 'failed' && !end.rolledBack ? faultExitCode : 1
}
