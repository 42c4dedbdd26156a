/** `donecheck receipt sign`: the receipt in a DSSE envelope with the signature of an SSH key. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '@donecheck/engine/base'
import { envelopeOf, parseReceiptFile, preAuthentication, verifyReceipt } from '@donecheck/engine/receipt'
import { reportFailure } from '../../../process/failure.ts'
import type { CliIo } from '../../../process/io.ts'
import { signWithSsh } from './ssh-signature.ts'
import { writeOutput } from './write-output.ts'

export interface SignFlags {
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
