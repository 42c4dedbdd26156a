import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseEvent } from '@donecheck/core/internal/events'
import type { Verifier, VerifierContext, VerifierResult } from '../../ports/checks.ts'

/** One verifier per kind of outcome; each runs in an empty work folder. */
export interface VerifierCases {
  readonly passing: () => Verifier
  readonly failing: () => Verifier
  readonly makeUndecided: () => Verifier
  /** Replies only after an abort; calls `onStart` when it works. */
  readonly hanging: (onStart: () => void, folder: string) => Verifier
}

/** Contract of every verifier (I6, I7). */
export function verifierContract(name: string, cases: VerifierCases): void {
  let folder = ''

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-verifier-')))
  })

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  const ask = (verifier: Verifier, signal = new AbortController().signal) =>
    verifier.verify(contextIn(folder), signal)

  describe(`the contract of a verifier: ${name}`, () => {
    const all = { passing: cases.passing, failing: cases.failing, undecided: cases.makeUndecided }

    it('passes what the artifact proves', async () => {
      expect(await ask(cases.passing())).toMatchObject({ status: 'passed' })
    })

    it('fails what the artifact disproves', async () => {
      expect(await ask(cases.failing())).toMatchObject({ status: 'failed' })
    })

    it('says error where it cannot decide', async () => {
      expect(await ask(cases.makeUndecided())).toMatchObject({ status: 'error' })
    })

    it.each(Object.entries(all))('gives a reason, when %s', async (_, make) => {
      const { reason } = await ask(make())
      expect(reason.trim()).not.toBe('')
    })

    it.each(Object.entries(all))('gives a report that the store can give back, when %s', async (_, make) => {
      const { attachments, ...report } = await ask(make())
      expect(throughTheStore(report)).toEqual(report)
      expect(JSON.parse(JSON.stringify(attachments ?? []))).toEqual(attachments ?? [])
    })

    it.each(Object.entries(all))('gives the same status again, when %s', async (_, make) => {
      const verifier = make()
      const first = await ask(verifier)
      expect((await ask(verifier)).status).toBe(first.status)
    })

    it('does not pass when it is aborted before it begins', async () => {
      expect(await ask(cases.passing(), AbortSignal.abort())).toMatchObject({ status: 'error' })
    })

    it('ends with error when it is aborted at work', async () => {
      const abort = new AbortController()
      const verifier = cases.hanging(() => abort.abort(), folder)
      expect(await ask(verifier, abort.signal)).toMatchObject({ status: 'error' })
    })

    it('has a name, and a weight that is a number', () => {
      const { name: ownName, weight } = cases.passing().description
      expect(ownName.trim()).not.toBe('')
      expect(Number.isFinite(weight)).toBe(true)
    })
  })
}

function contextIn(workFolder: string): VerifierContext {
  return {
    runId: 'run-1',
    workFolder,
    task: 'make it green',
    finalText: 'It is done.',
    trigger: 'claim',
    turn: 1,
    fingerprint: undefined,
    baseline: undefined,
  }
}

function throughTheStore(report: VerifierResult): unknown {
  const header = { schemaVersion: 1, id: 'event-1', runId: 'run-1', sequence: 1, timeMs: 0 }
  const verdict = { ...report, verifier: 'contract', durationMs: 0 }
  const parsed = parseEvent(JSON.parse(JSON.stringify({ ...header, type: 'verdict-given', verdict })))
  if (parsed.kind === 'invalid' || parsed.event.type !== 'verdict-given') return parsed
  const { verdict: stored } = parsed.event
  return Object.fromEntries(
    Object.entries(stored).filter(([key]) => key !== 'verifier' && key !== 'durationMs'),
  )
}
