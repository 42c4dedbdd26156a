/** `donecheck receipt verify`: whether a receipt still holds; with `--gate`, whether work may go on because of it. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { given, messageOf, UsageError } from '@donecheck/engine/base'
import { fold } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import {
  gateReceipt,
  parseReceiptFile,
  verifyReceipt,
  type GateResult,
  type ReceiptCheck,
  type ReceiptFile,
  type ReceiptLine,
  type TreeNow,
} from '@donecheck/engine/receipt'
import { oneLine, type Line } from '@donecheck/engine/report'
import { reportFailure } from '../../../process/failure.ts'
import { fingerprintNow, gitSubjectNow } from '../../../tree/git-subject.ts'
import { askGit } from '../../../tree/git.ts'
import type { CliIo } from '../../../process/io.ts'
import { orUsageError } from '../../../process/usage-error.ts'
import { withStore, settingsWithoutFile } from '../../../settings/settings.ts'
import type { StoreFlags } from '../../../options/flags.ts'
import { paintLines } from '../../../output/painter.ts'
import { readSigner, type SignerFlags } from './read-signer.ts'

export interface VerifyReceiptFlags extends StoreFlags, SignerFlags {
  readonly gate?: boolean
  /** A git revision, instead of what lies in the folder. */
  readonly tree?: string
  readonly requireCheck?: readonly string[]
}

/** `partly-checked`: nothing differs, and not everything could be compared. */
const exitCodes = { matches: 0, open: 0, differs: 1, closed: 1, 'partly-checked': 4 } as const

export async function verifyReceiptCommand(
  file: string,
  flags: VerifyReceiptFlags,
  io: CliIo,
): Promise<number> {
  try {
    if (flags.gate !== true && flags.requireCheck !== undefined)
      throw new UsageError('--require-check is a demand of a gate: give --gate too')
    const check = await checkFile(readReceiptFile(resolve(io.currentFolder, file)), flags, io)
    if (flags.json === true) io.stdout.write(`${JSON.stringify(check)}\n`)
    else io.stdout.write(`${paintLines(linesOf(check), io)}\n`)
    return exitCodes[check.result]
  } catch (error) {
    return reportFailure(error, flags.json === true, io)
  }
}

type ReadableFile = Exclude<ReceiptFile, { kind: 'unreadable' }>

/** @throws {UsageError} */
function readReceiptFile(file: string): ReadableFile {
  const cannot = (problem: string) => `${file} cannot be read as a receipt: ${problem}`
  const read = orUsageError(
    () => parseReceiptFile(readFileSync(file, 'utf8')),
    (error) => cannot(messageOf(error)),
  )
  if (read.kind === 'unreadable') throw new UsageError(cannot(read.problem))
  return read
}

async function checkFile(
  file: ReadableFile,
  flags: VerifyReceiptFlags,
  io: CliIo,
): Promise<ReceiptCheck | GateResult> {
  const { statement: receipt } = file
  const recorded = await readRecord(receipt, flags, io)
  const { signedBy, line } = readSigner(file, withFullPath(flags, io))
  const isGate = flags.gate === true
  const events = isGate && recorded?.isImported === true ? undefined : recorded?.events
  const sources = {
    ...given({ events }),
    // A gate is about the tree that it stands at, wherever the run was.
    ...(await treeOf(receipt, isGate ? undefined : events, flags, io)),
    nowMs: Date.now(),
  }
  const requiredChecks = flags.requireCheck ?? []
  const check = isGate
    ? gateReceipt(receipt, sources, { requiredChecks, ...given({ signedBy }) })
    : verifyReceipt(receipt, sources)
  const lines = [...check.lines, line]
  if (line.status !== 'differs') return { ...check, lines }
  return isGate ? { result: 'closed', lines } : { result: 'differs', lines }
}

function withFullPath(flags: SignerFlags, { currentFolder }: CliIo): SignerFlags {
  const { allowedSigners } = flags
  return allowedSigners === undefined
    ? flags
    : { ...flags, allowedSigners: resolve(currentFolder, allowedSigners) }
}

interface Recorded {
  readonly events: readonly RunEvent[]
  readonly isImported: boolean
}

const withRunId = z.looseObject({ predicate: z.looseObject({ runId: z.string() }) })

/** Undefined: the store here does not know the run. */
async function readRecord(receipt: unknown, flags: StoreFlags, io: CliIo): Promise<Recorded | undefined> {
  const named = withRunId.safeParse(receipt)
  if (!named.success) return undefined
  return withStore(flags, io, async (store) => {
    const { runId } = named.data.predicate
    const summary = (await store.list()).find((one) => one.runId === runId)
    if (summary === undefined) return undefined
    return { events: await store.read(runId), isImported: summary.imported === true }
  })
}

/** @throws {UsageError} for a revision that git does not know here */
async function treeOf(
  receipt: unknown,
  events: readonly RunEvent[] | undefined,
  flags: VerifyReceiptFlags,
  io: CliIo,
): Promise<TreeNow> {
  const folder = folderOf(events, flags, io)
  if (flags.tree === undefined) return treeNow(receipt, folder)
  const words = ['rev-parse', '--verify', '--end-of-options', `${flags.tree}:./`]
  const gitTree = folder === null ? undefined : (await askGit(folder, words))?.trim()
  if (gitTree === undefined)
    throw new UsageError(`git knows no tree ${flags.tree} here; fetch it first, or leave --tree out`)
  return { gitTree }
}

/** Null: a run without a folder has its answer as its subject. */
function folderOf(events: readonly RunEvent[] | undefined, flags: StoreFlags, io: CliIo): string | null {
  const { workdir } = flags
  const here = settingsWithoutFile(given({ workdir }), io).workFolder
  const recorded = fold(events ?? [])
  return workdir === undefined && recorded !== undefined ? recorded.workFolder : here
}

/** What git says is compared only where the receipt has it: a tree that was committed since is the same tree. */
async function treeNow(receipt: unknown, folder: string | null): Promise<TreeNow> {
  if (folder === null) return {}
  const fingerprint = await fingerprintNow(folder)
  const git = withGit.safeParse(receipt).success ? await gitSubjectNow(folder) : {}
  return { ...given({ fingerprint }), ...git }
}

const withGit = z.looseObject({
  subject: z.tuple([z.looseObject({ digest: z.looseObject({ gitCommit: z.string() }) })], z.unknown()),
})

const tones = {
  matches: 'good',
  open: 'good',
  differs: 'bad',
  closed: 'bad',
  'partly-checked': 'warning',
} as const

function linesOf({ result, lines }: ReceiptCheck | GateResult): readonly Line[] {
  const matching = lines.filter(({ status }) => status === 'matches').length
  const others = lines.filter(({ status }) => status !== 'matches')
  return [
    ...others.map(lineOf),
    { tone: tones[result], text: `→ ${result}: ${matching} of ${lines.length} match` },
  ]
}

function lineOf({ status, what, expected, found, why }: ReceiptLine): Line {
  if (status === 'not-checked') return { tone: 'warning', text: `? ${what}: not checked: ${why}` }
  return {
    tone: 'bad',
    text: `✗ ${what}: ${oneLine(expected ?? 'nothing', 120)} was expected, ${oneLine(found ?? 'nothing', 120)} found: ${oneLine(why, 200)}`,
  }
}
