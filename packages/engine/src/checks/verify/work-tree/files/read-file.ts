import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { FileEvidence } from '@donecheck/core/verdicts'
import type { VerifierReport } from '../../../../ports/checks.ts'
import { failedReport } from '../../texts/text/report.ts'
import { undecidedReport } from '../../reports/undecided.ts'
import { openFile } from './open-file.ts'

/** A larger file is not read as text. */
export const maxFileBytes = 10 * 1024 * 1024

const pieceBytes = 1024 * 1024

export type SeenFile =
  | { readonly kind: 'seen'; readonly evidence: FileEvidence; readonly bytes: Buffer }
  /** Why there is nothing to look at, as the verdict on it: `failed` or `error`. */
  | { readonly kind: 'not-seen'; readonly report: VerifierReport }

/**
 * The digest of a file of any size.
 * @throws the signal's reason after an abort
 */
export function digestFile(folder: string, path: string, signal: AbortSignal): Promise<SeenFile> {
  return see(folder, path, signal, 0)
}

/**
 * The bytes of a file of at most 10 MiB; a larger one is `error`.
 * @throws the signal's reason after an abort
 */
export async function readFile(folder: string, path: string, signal: AbortSignal): Promise<SeenFile> {
  const seen = await see(folder, path, signal, maxFileBytes)
  if (seen.kind === 'not-seen' || seen.evidence.bytes <= maxFileBytes) return seen
  const report = undecidedReport(
    `${path} has ${seen.evidence.bytes} bytes; more than ${maxFileBytes} are not read`,
  )
  return { kind: 'not-seen', report: { ...report, evidence: [seen.evidence] } }
}

async function see(folder: string, path: string, signal: AbortSignal, keepBytes: number): Promise<SeenFile> {
  const file = await openFile(folder, path)
  if (file.kind !== 'open') {
    const nothing: FileEvidence = { kind: 'file', path, digest: null, bytes: 0 }
    const isKnown = file.kind === 'refused'
    return {
      kind: 'not-seen',
      report: isKnown ? failedReport(file.reason, nothing) : undecidedReport(file.reason),
    }
  }
  try {
    const { digest, bytes, kept } = await readAll(file.handle, signal, keepBytes)
    return { kind: 'seen', evidence: { kind: 'file', path, digest, bytes }, bytes: kept }
  } catch (error) {
    signal.throwIfAborted()
    const problem = error instanceof Error ? error.message : String(error)
    return { kind: 'not-seen', report: undecidedReport(`${path} cannot be read: ${problem}`) }
  } finally {
    await file.handle.close()
  }
}

async function readAll(handle: FileHandle, signal: AbortSignal, keepBytes: number) {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  let bytes = 0
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, bytes)
    if (bytesRead === 0) return { digest: hash.digest('hex'), bytes, kept: Buffer.concat(kept) }
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    if (bytes < keepBytes) kept.push(piece)
    bytes += bytesRead
  }
}
