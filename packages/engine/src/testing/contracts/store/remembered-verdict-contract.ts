import { describe, expect } from 'vitest'
import { StoreError } from '../../../base/index.ts'
import type { Verdict } from '@donecheck/core/verdicts'
import { erroredVerdict, failedVerdict, passedVerdict, skippedVerdict } from '@donecheck/core/testing'
import type { StoreTest } from './opened-store.ts'

const everyField: Verdict = {
  verifier: 'npm test \0 \ud800 ünï',
  status: 'failed',
  reason: 'one test fails',
  canRetry: false,
  score: 0.25,
  qualifiers: ['flaky', 'pre-existing'],
  evidence: [
    ...failedVerdict('npm test').evidence,
    { kind: 'note', text: 'a zero \0 and half a character \ud800' },
    {
      kind: 'tests',
      format: 'junit',
      counts: { passed: 1, failed: 1, errored: 0, skipped: 1, total: 3 },
      failed: [{ name: 'adds', file: 'a.test.ts', line: 3, message: 'expected 2' }],
      skipped: ['subtracts'],
      executedDigests: ['0123456789ab'],
    },
    { kind: 'file', path: 'dist/a.js', digest: null, bytes: 0 },
    { kind: 'measure', name: 'similarity', value: 0.6, bound: 0.7 },
    {
      kind: 'finding',
      rule: 'tests.newly-skipped',
      response: 'refuse',
      message: 'a test was skipped',
      why: 'it would fail',
      path: 'a.test.ts',
      line: 3,
      waiver: { by: 'Ada', until: '2026-12-31', reason: 'known' },
    },
  ],
  durationMs: 12.5,
  costUsd: 0.01,
  fingerprint: 'tree-1',
}

export function rememberedVerdictContract(it: StoreTest): void {
  describe('given verdicts that were remembered', () => {
    it('recalls them whole, under the very key they were given', async (store) => {
      await store.remember('key-1', everyField)
      expect(await store.recall('key-1')).toEqual(everyField)
      for (const other of ['', 'key-2', 'key-1 ', 'KEY-1', 'key-1\0'])
        expect(await store.recall(other)).toBeUndefined()
    })

    it('recalls the latest under a key', async (store) => {
      await store.remember('key-1', passedVerdict('lint'))
      await store.remember('key-2', passedVerdict('tests'))
      await store.remember('key-1', failedVerdict('lint'))
      expect(await store.recall('key-1')).toEqual(failedVerdict('lint'))
      expect(await store.recall('key-2')).toEqual(passedVerdict('tests'))
    })

    it('takes keys of any characters for different ones', async (store) => {
      const keys = ['', 'a', 'a\0', 'a\0b', '\ud800', '\udfff', '\ufffd', '__proto__', "' OR 1=1"]
      for (const key of keys) await store.remember(key, passedVerdict(key))
      for (const key of keys) expect((await store.recall(key))?.verifier).toBe(key)
    })

    it('is not changed through a verdict that it was given or gave out', async (store) => {
      const given = { ...passedVerdict('lint') }
      await store.remember('key-1', given)
      Object.assign(given, { status: 'failed' })
      Object.assign((await store.recall('key-1')) ?? {}, { status: 'error' })
      expect(await store.recall('key-1')).toEqual(passedVerdict('lint'))
    })

    it('shows no run and learns nothing by them', async (store) => {
      await store.remember('key-1', passedVerdict('lint'))
      expect(await store.list()).toEqual([])
      expect(await store.yields()).toEqual([])
    })
  })

  describe('given verdicts that were learned from', () => {
    it('knows nothing at first', async (store) => {
      expect(await store.yields()).toEqual([])
    })

    it('counts answers, failures and time of each verifier, by its name', async (store) => {
      for (const verdict of [
        passedVerdict('tests', { durationMs: 100 }),
        failedVerdict('lint', { durationMs: 1.5 }),
        failedVerdict('tests', { durationMs: 50 }),
        erroredVerdict('tests', { durationMs: 10 }),
        skippedVerdict('lint', { durationMs: 0 }),
      ])
        await store.learn(verdict)
      expect(await store.yields()).toEqual([
        { verifier: 'lint', runs: 2, failures: 1, totalMs: 1.5 },
        { verifier: 'tests', runs: 3, failures: 1, totalMs: 160 },
      ])
    })

    it('loses no answer of several that come at the same time', async (store) => {
      await Promise.all(
        Array.from({ length: 40 }, () => store.learn(failedVerdict('tests', { durationMs: 2 }))),
      )
      expect(await store.yields()).toEqual([{ verifier: 'tests', runs: 40, failures: 40, totalMs: 80 }])
    })

    it('keeps names of any characters apart, and remembers no verdict by them', async (store) => {
      const names = ['a', 'a\0', 'a\0b', '\ud800', '\udfff', '__proto__']
      for (const name of names) await store.learn(passedVerdict(name))
      expect((await store.yields()).map(({ verifier }) => verifier).sort()).toEqual([...names].sort())
      expect(await store.recall('a')).toBeUndefined()
    })
  })

  describe('given nonsense for a verdict, or a store that was closed', () => {
    it('refuses a verdict that could not be read again', async (store) => {
      const nonsense = [
        passedVerdict('lint', { durationMs: Number.NaN }),
        passedVerdict('lint', { durationMs: Number.POSITIVE_INFINITY }),
        passedVerdict('lint', { score: 2 }),
      ]
      for (const verdict of nonsense) {
        await expect(store.remember('key-1', verdict)).rejects.toThrow(TypeError)
        await expect(store.learn(verdict)).rejects.toThrow('lint')
      }
      expect(await store.recall('key-1')).toBeUndefined()
      expect(await store.yields()).toEqual([])
    })

    it('says that it is closed instead of forgetting', async (store) => {
      await store.close()
      await expect(store.remember('key-1', passedVerdict('lint'))).rejects.toThrow(StoreError)
      await expect(store.recall('key-1')).rejects.toThrow(StoreError)
      await expect(store.learn(passedVerdict('lint'))).rejects.toThrow(StoreError)
      await expect(store.yields()).rejects.toThrow('closed')
    })
  })
}
