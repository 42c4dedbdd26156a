/** Signed receipts in a DSSE envelope. The command's `read-signer.ts` checks the signature. */
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

/** A parsed receipt file. The statement is unchecked JSON until `verifyReceipt` reads it. */
export type ReceiptFile =
  | { readonly kind: 'unsigned'; readonly statement: unknown }
  | {
      /** Signatures of any program; the caller decides which of them count. */
      readonly kind: 'envelope'
      readonly statement: unknown
      readonly signed: Uint8Array
      readonly signatures: readonly Uint8Array[]
    }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** Never throws. A broken envelope is unreadable, never an unsigned receipt. */
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

/** @throws {TypeError} for invalid UTF-8 */
function statementIn(payload: string): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(payload, 'base64'))
  return JSON.parse(text) as unknown
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Returns the signed bytes: DSSE's pre-authentication encoding. */
export function preAuthentication(payload: Uint8Array): Uint8Array {
  const head = `DSSEv1 ${Buffer.byteLength(receiptPayloadType)} ${receiptPayloadType} ${payload.byteLength} `
  return Buffer.concat([Buffer.from(head), payload])
}

/** @param payload the signed statement, byte for byte */
export function envelopeOf(payload: Uint8Array, signature: Uint8Array): object {
  return {
    payloadType: receiptPayloadType,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ sig: Buffer.from(signature).toString('base64') }],
  }
}
