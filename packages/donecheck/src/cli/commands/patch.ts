import { readFile, stat, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { messageOf, UsageError, given } from '@donecheck/engine/internal/base'
import {
  planInFolder,
  withNewFileModes,
  commitChanges,
  readOnlyProblem,
  type Committed,
} from '@donecheck/engine/internal/system/files'
import {
  decodeUtf8,
  type Plan,
  describeProblems,
  unifiedDiffOf,
  type ChangedFile,
  type ChangeSet,
  type PatchProblem,
} from '@donecheck/engine/internal/analysis/patch'
import { faultExitCode, usageExitCode, toUsageError } from '../process/failure.ts'
import type { CliIo } from '../process/io.ts'
import { harmless, type Line, line } from '@donecheck/core/internal/base'
import { painter } from '../output/wrap.ts'
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
  const isDryRun = task === 'check' || flags.dryRun === true
  const plan = await buildPlan(root, patch ?? (await buffer(io.stdin)), flags)
  return reportEnd(await commitPlan(plan, { root, isDryRun, receiptFile }), flags, io)
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

export function writePatchText(end: PatchEnd, hasReceiptFile: boolean, io: CliIo): void {
  const paint = painter(io.stderr, io)
  for (const line of linesOf(end)) io.stderr.write(`${paint({ ...line, text: harmless(line.text) })}\n`)
  const hasDiff = end.kind === 'would-change' || (end.kind === 'changed' && !hasReceiptFile)
  if (hasDiff) io.stdout.write(unifiedDiffOf(end.changes))
}

export function patchJson(end: PatchEnd): string {
  return JSON.stringify({ type: 'patch', ...('changes' in end ? jsonOfChanges(end) : end) })
}

function jsonOfChanges({ kind, changes, notes }: Extract<PatchEnd, { changes: unknown }>): object {
  const files = changes.map((change) => ({
    path: change.path,
    change: wordOf(change),
    ...given({ movedFrom: change.movedFrom }),
  }))
  return { kind, files, notes, diff: unifiedDiffOf(changes) }
}

function linesOf(end: PatchEnd): readonly Line[] {
  switch (end.kind) {
    case 'wrong-usage':
      return [line('bad', `donecheck: ${end.problem}`)]
    case 'refused': {
      const isPatch = end.problems.some(({ kind }) => kind !== 'malformed')
      const problems = describeProblems(end.problems)
      return [line('bad', isPatch ? `does not apply: ${problems}` : problems)]
    }
    case 'conflict':
      return [line('bad', `${end.reason}; nothing was written`)]
    case 'failed': {
      const left = end.rolledBack ? 'nothing was written' : 'some files may be changed and others not'
      return [line('bad', `${end.problem}; ${left}`)]
    }
    case 'would-change':
    case 'changed':
      return [...end.notes.map((text) => line('warning', text)), ...changeLines(end)]
  }
}

function changeLines({ kind, changes }: Extract<PatchEnd, { changes: unknown }>): readonly Line[] {
  if (changes.length === 0) return [line('plain', 'nothing changes')]
  if (kind === 'would-change') return []
  return changes.map((change) => line('good', `${wordOf(change)} ${change.path}`))
}

function wordOf({ before, after }: ChangedFile): 'added' | 'deleted' | 'updated' {
  if (before === null) return 'added'
  return after === null ? 'deleted' : 'updated'
}

export type PatchEnd =
  | { readonly kind: 'refused'; readonly problems: readonly PatchProblem[] }
  | Exclude<Committed, { readonly kind: 'committed' }>
  | {
      readonly kind: 'would-change' | 'changed'
      readonly changes: ChangeSet
      readonly notes: readonly string[]
    }
  | { readonly kind: 'wrong-usage'; readonly problem: string }

interface PatchRequest {
  readonly root: string
  readonly isDryRun: boolean
  readonly receiptFile: string | undefined
}

/** Writes the receipt first and removes it if nothing changed. @throws {UsageError} if the receipt file exists */
export async function commitPlan(
  plan: Plan,
  { root, isDryRun, receiptFile }: PatchRequest,
): Promise<PatchEnd> {
  if (plan.kind === 'refused') return plan
  const { changes, notes } = plan
  const problems = changes.flatMap((change): PatchProblem[] => {
    const message = readOnlyProblem(change)
    return message === undefined ? [] : [{ kind: 'refused-file', message, path: change.path }]
  })
  if (problems.length > 0) return { kind: 'refused', problems }
  if (isDryRun) return { kind: 'would-change', changes, notes }
  if (receiptFile !== undefined) await writeReceipt(receiptFile, unifiedDiffOf(changes))
  const committed = await commitChanges(root, changes)
  if (committed.kind === 'committed') return { kind: 'changed', changes, notes }
  const isUnchanged = committed.kind === 'conflict' || committed.rolledBack
  if (receiptFile !== undefined && isUnchanged) await rm(receiptFile, { force: true })
  return committed
}

function writeReceipt(file: string, diff: string): Promise<void> {
  const describe = (error: unknown) =>
    `the receipt cannot be written to a new file ${file}: ${messageOf(error)}`
  return writeFile(file, diff, { flag: 'wx', flush: true }).catch(toUsageError(describe))
}
