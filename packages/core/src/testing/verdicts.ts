/** Verdicts in one word each: `passed('npm test')`, `failed('npm test', { canRetry: false })`. */
import type { CommandEvidence, Verdict, VerdictStatus } from '../events/verdicts/index.ts'

/** What is different from the verdict that the word stands for. */
export type VerdictDetails = Partial<Omit<Verdict, 'verifier' | 'status'>>

/** The artifact proves it: the command ended with exit code 0. */
export function passedVerdict(verifier: string, details: VerdictDetails = {}): Verdict {
  const evidence = [commandEvidence({ command: verifier, exitCode: 0 })]
  return verdict(verifier, 'passed', { reason: `${verifier} passed`, evidence, ...details })
}

/** The artifact disproves it: the command ended with exit code 1. */
export function failedVerdict(verifier: string, details: VerdictDetails = {}): Verdict {
  const evidence = [commandEvidence({ command: verifier, exitCode: 1 })]
  return verdict(verifier, 'failed', { reason: `${verifier} failed`, evidence, ...details })
}

/** It could not be decided: the command was broken off at its time limit. */
export function erroredVerdict(verifier: string, details: VerdictDetails = {}): Verdict {
  const evidence = [commandEvidence({ command: verifier, exitCode: null, signal: 'SIGKILL', timedOut: true })]
  return verdict(verifier, 'error', { reason: `${verifier} timed out`, evidence, ...details })
}

/** Not applicable, waived or without a vote. */
export function skippedVerdict(verifier: string, details: VerdictDetails = {}): Verdict {
  return verdict(verifier, 'skipped', { reason: `${verifier} does not apply`, ...details })
}

/** Somebody or something is waited for. */
export function pending(verifier: string, details: VerdictDetails = {}): Verdict {
  return verdict(verifier, 'pending', { reason: `${verifier} waits for a person`, ...details })
}

const byStatus = {
  passed: passedVerdict,
  failed: failedVerdict,
  error: erroredVerdict,
  skipped: skippedVerdict,
  pending,
} as const satisfies Record<VerdictStatus, unknown>

/** A verdict of any status, by that word. */
export function verdictOf(status: VerdictStatus, verifier: string, details: VerdictDetails = {}): Verdict {
  return byStatus[status](verifier, details)
}

/** A short output is given whole; its digest is not computed. */
export function commandEvidence(
  details: Partial<Omit<CommandEvidence, 'kind' | 'output'>> & { readonly output?: string } = {},
): CommandEvidence {
  const { output = '', ...different } = details
  return {
    kind: 'command',
    command: 'npm test',
    folder: '/srv/tree',
    exitCode: 0,
    signal: null,
    timedOut: false,
    environmentDigest: '0'.repeat(64),
    ...different,
    output: { head: output, tail: '', totalBytes: output.length, omittedBytes: 0, digest: '0'.repeat(64) },
  }
}

function verdict(verifier: string, status: VerdictStatus, details: VerdictDetails): Verdict {
  const base = { reason: '', canRetry: true, qualifiers: [], evidence: [], durationMs: 5 }
  return { ...base, ...details, verifier, status }
}
