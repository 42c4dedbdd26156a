/** A receipt as it is signed: in a DSSE envelope. `read-signer.ts` of the command checks the signature. */
import { z } from 'zod'
import { messageOf } from '../../base/index.ts'

const receiptPayloadType = 'application/vnd.in-toto+json'

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/, 'no base64')

const envelope = z.object({
  payloadType: z.literal(receiptPayloadType),
  payload: base64,
  signatures: z
    .array(z.object({ sig: base64 }))
    .min(1)
    .max(16)
    .readonly(),
})

/** What a file holds that is given as a receipt. The statement is whatever JSON stands there: `verifyReceipt` reads it. */
export type ReceiptFile =
  | { readonly kind: 'unsigned'; readonly statement: unknown }
  | {
      /** The signatures are of this donecheck or of another program; which of them count is for whoever checks them. */
      readonly kind: 'envelope'
      readonly statement: unknown
      /** What was signed: DSSE's pre-authentication encoding of the payload. */
      readonly signed: Uint8Array
      readonly signatures: readonly Uint8Array[]
    }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** Never throws. A broken envelope is unreadable: it is not taken for an unsigned receipt. */
export function parseReceiptFile(text: string): ReceiptFile {
  try {
    return fileOf(JSON.parse(text) as unknown)
  } catch (error) {
    return { kind: 'unreadable', problem: messageOf(error) }
  }
}

function fileOf(value: unknown): ReceiptFile {
  if (!isObject(value) || !('payloadType' in value)) return { kind: 'unsigned', statement: value }
  const { payload, signatures } = envelope.parse(value)
  return {
    kind: 'envelope',
    statement: statementIn(payload),
    signed: preAuthentication(Buffer.from(payload, 'base64')),
    signatures: signatures.map(({ sig }) => Buffer.from(sig, 'base64')),
  }
}

/** @throws {TypeError} for bytes that are no UTF-8 */
function statementIn(payload: string): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(payload, 'base64'))
  return JSON.parse(text) as unknown
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** What a signature of a statement is made over. */
export function preAuthentication(payload: Uint8Array): Uint8Array {
  const head = `DSSEv1 ${Buffer.byteLength(receiptPayloadType)} ${receiptPayloadType} ${payload.byteLength} `
  return Buffer.concat([Buffer.from(head), payload])
}

/** @param payload the statement as it was signed, byte for byte */
export function envelopeOf(payload: Uint8Array, signature: Uint8Array): object {
  return {
    payloadType: receiptPayloadType,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ sig: Buffer.from(signature).toString('base64') }],
  }
}
