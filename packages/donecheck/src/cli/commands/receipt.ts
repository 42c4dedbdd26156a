/** `donecheck receipt`: what was checked, on which tree, with what result; and whether such a receipt still holds. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { UsageError, donecheckVersion } from '@donecheck/engine/base'
import { fold } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import {
  buildReceipt,
  verifyReceipt,
  type ReceiptCheck,
  type ReceiptLine,
  type TreeNow,
} from '@donecheck/engine/receipt'
import { oneLine, type Line } from '@donecheck/engine/report'
import type { Store } from '@donecheck/engine/ports/store'
import { reportFailure } from '../process/failure.ts'
import { findSummary } from '../settings/find-run.ts'
import { fingerprintNow, gitSubjectNow, readGitSubject } from '../tree/git-subject.ts'
import type { CliIo } from '../process/io.ts'
import { withStore } from '../settings/open-store.ts'
import type { StoreFlags } from '../options/flags.ts'
import { paintLines } from '../output/painted-lines.ts'
import { settingsWithoutFile } from '../settings/settings.ts'

export interface ReceiptFlags extends StoreFlags {
  readonly output?: string
}

export async function receiptCommand(wanted: string, flags: ReceiptFlags, io: CliIo): Promise<number> {
  try {
    const { events, imported } = await withStore(flags, io, async (store) => {
      const summary = await findSummary(store, wanted)
      return { events: await store.read(summary.runId), imported: summary.imported }
    })
    const state = fold(events)
    const git = await readGitSubject(state?.workFolder ?? null, state?.workspace.current)
    const receipt = buildReceipt({
      ...git,
      events,
      packageVersion: donecheckVersion,
      nodeVersion: process.version,
      ...(imported === undefined ? {} : { imported }),
    })
    const text = `${JSON.stringify(receipt, null, 2)}\n`
    if (flags.output === undefined) io.stdout.write(text)
    else writeFileSync(resolve(io.currentFolder, flags.output), text)
    return 0
  } catch (error) {
    return reportFailure(error, false, io)
  }
}

/** 0: it matches; 1: something differs; 4: nothing differs, and not everything could be compared. */
const exitCodes = { matches: 0, differs: 1, 'partly-checked': 4 } as const

export async function verifyReceiptCommand(file: string, flags: ReceiptFlags, io: CliIo): Promise<number> {
  try {
    const receipt = readReceiptFile(resolve(io.currentFolder, file))
    const events = await withStore(flags, io, (store) => readEvents(receipt, store))
    const check = verifyReceipt(receipt, {
      ...(events === undefined ? {} : { events }),
      ...(await treeNow(receipt, folderOf(events, flags, io))),
      nowMs: Date.now(),
    })
    if (flags.json === true) io.stdout.write(`${JSON.stringify(check)}\n`)
    else io.stdout.write(`${paintLines(linesOf(check), io)}\n`)
    return exitCodes[check.result]
  } catch (error) {
    return reportFailure(error, flags.json === true, io)
  }
}

function readReceiptFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${file} cannot be read as a receipt: ${problem}`, { cause: error })
  }
}

/** Undefined: the store here does not know the run. */
async function readEvents(receipt: unknown, store: Store): Promise<readonly RunEvent[] | undefined> {
  const runId = runIdOf(receipt)
  if (runId === undefined) return undefined
  const events = await store.read(runId)
  return events.length === 0 ? undefined : events
}

function runIdOf(receipt: unknown): string | undefined {
  if (typeof receipt !== 'object' || receipt === null || !('predicate' in receipt)) return undefined
  const { predicate } = receipt
  if (typeof predicate !== 'object' || predicate === null || !('runId' in predicate)) return undefined
  return typeof predicate.runId === 'string' ? predicate.runId : undefined
}

/** Null: a run without a folder has its answer as its subject. */
function folderOf(events: readonly RunEvent[] | undefined, flags: ReceiptFlags, io: CliIo): string | null {
  const { workdir } = flags
  const here = settingsWithoutFile(workdir === undefined ? {} : { workdir }, io).workFolder
  const recorded = fold(events ?? [])
  return workdir === undefined && recorded !== undefined ? recorded.workFolder : here
}

/** What git says is compared only where the receipt has it: a tree that was committed since is the same tree. */
async function treeNow(receipt: unknown, folder: string | null): Promise<TreeNow> {
  if (folder === null) return {}
  const fingerprint = await fingerprintNow(folder)
  const git = withGit.safeParse(receipt).success ? await gitSubjectNow(folder) : {}
  return { ...(fingerprint === undefined ? {} : { fingerprint }), ...git }
}

const withGit = z.looseObject({
  subject: z.tuple([z.looseObject({ digest: z.looseObject({ gitCommit: z.string() }) })], z.unknown()),
})

function linesOf({ result, lines }: ReceiptCheck): readonly Line[] {
  const matching = lines.filter(({ status }) => status === 'matches').length
  const others = lines.filter(({ status }) => status !== 'matches')
  return [
    ...others.map(lineOf),
    {
      tone: result === 'matches' ? 'good' : result === 'differs' ? 'bad' : 'warning',
      text: `→ ${result}: ${matching} of ${lines.length} match`,
    },
  ]
}

function lineOf({ status, what, expected, found, why }: ReceiptLine): Line {
  if (status === 'not-checked') return { tone: 'warning', text: `? ${what}: not checked: ${why}` }
  return {
    tone: 'bad',
    text: `✗ ${what}: ${oneLine(expected ?? 'nothing', 120)} was expected, ${oneLine(found ?? 'nothing', 120)} found: ${oneLine(why, 200)}`,
  }
}
