import { donecheckVersion, given, UsageError, messageOf } from '@donecheck/engine/internal/base'
import { fold } from '@donecheck/core/internal/state'
import {
  buildReceipt,
  envelopeOf,
  parseReceiptFile,
  preAuthentication,
  verifyReceipt,
  differs,
  matches,
  notChecked,
  type ReceiptFile,
  type ReceiptLine,
  admitReceipt,
  type GateResult,
  type ReceiptCheck,
  type TreeNow,
} from '@donecheck/engine/receipt'
import { orUsageError, writeText } from '../../process/failure.ts'
import { askGit, readGitSubject, fingerprintNow, gitSubjectNow } from '../../tree/git.ts'
import type { CliIo } from '../../process/io.ts'
import { withRun, withStore, settingsWithoutFile } from '../../settings/settings.ts'
import { writeFileSync, readFileSync } from 'node:fs'
import { resolve, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { makeScratchFolder, removeScratchFolder } from '@donecheck/engine/internal/system/process'
import { z } from 'zod'
import type { RunEvent } from '@donecheck/core/internal/events'
import { oneLine, type Line, line } from '@donecheck/core/internal/base'
import { print } from '../../output/wrap.ts'
import type { StoreFlags, Flags } from '../../options/flags.ts'

type ReceiptFlags = StoreFlags & Flags<'output'>

export async function receiptCommand(wanted: string, flags: ReceiptFlags, io: CliIo): Promise<number> {
  const { events, imported } = await withRun(wanted, flags, io, async ({ runId, imported }, store) => {
    return { events: await store.read(runId), imported }
  })
  const state = fold(events)
  const git = await readGitSubject(state?.workFolder ?? null, state?.workspace.current)
  const receipt = buildReceipt({
    ...git,
    events,
    packageVersion: donecheckVersion,
    nodeVersion: process.version,
    ...given({ imported }),
  })
  writeOutput(receipt, flags.output, io)
  return 0
}

function writeOutput(value: object, file: string | undefined, io: CliIo): void {
  const text = `${JSON.stringify(value, null, 2)}\n`
  if (file === undefined) io.stdout.write(text)
  else writeText(file, text, io)
}

type SignFlags = Flags<'key' | 'output'>

export async function signReceiptCommand(file: string, flags: SignFlags, io: CliIo): Promise<number> {
  if (flags.key === undefined)
    throw new UsageError(
      'no key is named: give --key with a private SSH key, or a public one whose agent runs',
    )
  const payload = readPayload(resolve(io.currentFolder, file))
  const signature = signWithSsh(preAuthentication(payload), resolve(io.currentFolder, flags.key))
  writeOutput(envelopeOf(payload, signature), flags.output, io)
  return 0
}

/** @throws {UsageError} for a file that is not a consistent, unsigned receipt */
function readPayload(file: string): Uint8Array {
  const payload = readFileSync(file)
  const read = parseReceiptFile(payload.toString('utf8'))
  if (read.kind !== 'unsigned')
    throw new UsageError(`${file} is ${read.kind === 'unreadable' ? 'no receipt' : 'signed already'}`)
  const wrong = verifyReceipt(read.statement).lines.find(({ status }) => status === 'differs')
  if (wrong !== undefined) throw new UsageError(`${file} is not signed: ${wrong.what}: ${wrong.why}`)
  return payload
}

export type SignerFlags = Flags<'allowedSigners' | 'signer'>

const what = 'signature'

/** Names no signer if the signature is bad or cannot be checked. */
export function readSigner(file: ReceiptFile, flags: SignerFlags) {
  const wanted = flags.signer ?? 'an allowed signer'
  const isWanted = flags.allowedSigners !== undefined || flags.signer !== undefined
  try {
    const signedBy = findSigner(file, flags)
    if (signedBy !== undefined)
      return { signedBy, line: matches(what, signedBy, 'made over the receipt as it stands in the file') }
    return {
      line: isWanted
        ? differs(what, wanted, undefined, 'it has none that these options can check')
        : notChecked(what, undefined, 'name --allowed-signers'),
    }
  } catch (error) {
    return { line: differs(what, wanted, undefined, messageOf(error)) }
  }
}

function findSigner(file: ReceiptFile, { allowedSigners, signer }: SignerFlags): string | undefined {
  if (file.kind !== 'envelope' || allowedSigners === undefined) return undefined
  let problem: string | undefined
  for (const signature of file.signatures)
    try {
      return sshSignerOf(file.signed, signature, { allowedSigners, ...given({ signer }) })
    } catch (error) {
      problem = messageOf(error)
    }
  if (problem !== undefined) throw new UsageError(problem)
  return undefined
}

/** Signatures of commits or files must not count as one of a receipt. */
const namespace = 'donecheck'

const head = '-----BEGIN SSH SIGNATURE-----'
const tail = '-----END SSH SIGNATURE-----'

export function signWithSsh(signed: Uint8Array, keyFile: string): Uint8Array {
  const armoured = askSshKeygen(['-Y', 'sign', '-n', namespace, '-f', keyFile], signed)
  return Buffer.from(armoured.replace(head, '').replace(tail, ''), 'base64')
}

/** Returns who signed: the expected principal, or the file's. @throws {Error} if the file lists no signer */
function sshSignerOf(
  signed: Uint8Array,
  signature: Uint8Array,
  { allowedSigners, signer }: { readonly allowedSigners: string; readonly signer?: string },
): string {
  const folder = makeScratchFolder('signature')
  try {
    const file = join(folder, 'signature')
    writeFileSync(file, [head, Buffer.from(signature).toString('base64'), tail, ''].join('\n'))
    const words = ['-f', allowedSigners, '-s', file]
    const [found = ''] = askSshKeygen(['-Y', 'find-principals', ...words], '').split('\n')
    const principal = signer ?? found
    askSshKeygen(['-Y', 'verify', '-n', namespace, '-I', principal, ...words], signed)
    return principal
  } finally {
    removeScratchFolder(folder)
  }
}

function askSshKeygen(words: readonly string[], input: Uint8Array | string): string {
  const { error, status, stdout, stderr } = spawnSync('ssh-keygen', words, { input, encoding: 'utf8' })
  if (error !== undefined) throw new Error(`ssh-keygen could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`ssh-keygen: ${(stderr || stdout).trim()}`)
  return stdout.trim()
}

type VerifyReceiptFlags = StoreFlags & SignerFlags & Flags<'tree', 'requireVerified', 'requireCheck'>

/** `partly-checked`: nothing differs, but not everything could be compared. */
const exitCodes = { matches: 0, open: 0, differs: 1, closed: 1, 'partly-checked': 4 } as const

export async function verifyReceiptCommand(
  file: string,
  flags: VerifyReceiptFlags,
  io: CliIo,
): Promise<number> {
  if (flags.requireVerified !== true && flags.requireCheck !== undefined)
    throw new UsageError('--require-check needs --require-verified')
  const check = await checkFile(readReceiptFile(resolve(io.currentFolder, file)), flags, io)
  print(io, flags.json, check, () => linesOf(check))
  return exitCodes[check.result]
}

type ReadableFile = Exclude<ReceiptFile, { kind: 'unreadable' }>

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
  const requiresVerified = flags.requireVerified === true
  const events = requiresVerified && recorded?.isImported === true ? undefined : recorded?.events
  const sources = {
    ...given({ events }),
    // A gate checks the tree of its own folder, regardless of the run's.
    ...(await treeOf(receipt, requiresVerified ? undefined : events, flags, io)),
    nowMs: Date.now(),
  }
  const requiredChecks = flags.requireCheck ?? []
  const check = requiresVerified
    ? admitReceipt(receipt, sources, { requiredChecks, ...given({ signedBy }) })
    : verifyReceipt(receipt, sources)
  const lines = [...check.lines, line]
  if (line.status !== 'differs') return { ...check, lines }
  return requiresVerified ? { result: 'closed', lines } : { result: 'differs', lines }
}

function withFullPath(flags: SignerFlags, { currentFolder }: CliIo): SignerFlags {
  const { allowedSigners } = flags
  return allowedSigners === undefined
    ? flags
    : { ...flags, allowedSigners: resolve(currentFolder, allowedSigners) }
}

const withRunId = z.looseObject({ predicate: z.looseObject({ runId: z.string() }) })

async function readRecord(receipt: unknown, flags: StoreFlags, io: CliIo) {
  const named = withRunId.safeParse(receipt)
  if (!named.success) return undefined
  return withStore(flags, io, async (store) => {
    const { runId } = named.data.predicate
    const summary = (await store.list()).find((one) => one.runId === runId)
    if (summary === undefined) return undefined
    return { events: await store.read(runId), isImported: summary.imported === true }
  })
}

/** @throws {UsageError} if git does not know the revision */
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

/** Null for a run without a folder: its subject is the answer. */
function folderOf(events: readonly RunEvent[] | undefined, flags: StoreFlags, io: CliIo): string | null {
  const { workdir } = flags
  const here = settingsWithoutFile(given({ workdir }), io).workFolder
  const recorded = fold(events ?? [])
  return workdir === undefined && recorded !== undefined ? recorded.workFolder : here
}

/** Compares with git only if the receipt names a commit: the same tree may have been committed since. */
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
  return [...others.map(lineOf), line(tones[result], `→ ${result}: ${matching} of ${lines.length} match`)]
}

function lineOf({ status, what, expected, found, why }: ReceiptLine): Line {
  if (status === 'not-checked') return line('warning', `? ${what}: not checked: ${why}`)
  return line(
    'bad',
    `✗ ${what}: ${oneLine(expected ?? 'nothing', 120)} was expected, ${oneLine(found ?? 'nothing', 120)} found: ${oneLine(why, 200)}`,
  )
}
