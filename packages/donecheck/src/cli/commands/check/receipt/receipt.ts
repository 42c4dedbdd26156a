/** `donecheck receipt <run>`: what was checked, on which tree, with what result. */
import { donecheckVersion, given, UsageError } from '@donecheck/engine/base'
import { fold } from '@donecheck/core/state'
import {
  buildReceipt,
  envelopeOf,
  parseReceiptFile,
  preAuthentication,
  verifyReceipt,
} from '@donecheck/engine/receipt'
import { reportFailure } from '../../../process/failure.ts'
import { findSummary } from '../../../settings/find-run.ts'
import { readGitSubject } from '../../../tree/git-subject.ts'
import type { CliIo } from '../../../process/io.ts'
import { withStore } from '../../../settings/settings.ts'
import type { StoreFlags } from '../../../options/flags.ts'
import { writeFileSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { signWithSsh } from './ssh-signature.ts'

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
      ...given({ imported }),
    })
    writeOutput(receipt, flags.output, io)
    return 0
  } catch (error) {
    return reportFailure(error, false, io)
  }
}

/** As JSON, into the file that was named or onto standard output. */
function writeOutput(value: object, file: string | undefined, io: CliIo): void {
  const text = `${JSON.stringify(value, null, 2)}\n`
  if (file === undefined) io.stdout.write(text)
  else writeFileSync(resolve(io.currentFolder, file), text)
}

interface SignFlags {
  readonly key?: string
  readonly output?: string
}

export async function signReceiptCommand(file: string, flags: SignFlags, io: CliIo): Promise<number> {
  try {
    if (flags.key === undefined)
      throw new UsageError(
        'no key is named: give --key with a private SSH key, or a public one whose agent runs',
      )
    const payload = readPayload(resolve(io.currentFolder, file))
    const signature = signWithSsh(preAuthentication(payload), resolve(io.currentFolder, flags.key))
    writeOutput(envelopeOf(payload, signature), flags.output, io)
    return 0
  } catch (error) {
    return reportFailure(error, false, io)
  }
}

/** Nobody signs what is no receipt, or contradicts itself. @throws {UsageError} */
function readPayload(file: string): Uint8Array {
  const payload = readFileSync(file)
  const read = parseReceiptFile(payload.toString('utf8'))
  if (read.kind !== 'unsigned')
    throw new UsageError(`${file} is ${read.kind === 'unreadable' ? 'no receipt' : 'signed already'}`)
  const wrong = verifyReceipt(read.statement).lines.find(({ status }) => status === 'differs')
  if (wrong !== undefined) throw new UsageError(`${file} is not signed: ${wrong.what}: ${wrong.why}`)
  return payload
}
