import { describe, expect, it } from 'vitest'
import { finalizing, occasion, verified } from '../fixtures/occasions.ts'
import { hookPipeline } from '../pipeline.ts'
import type { VerifierHook } from '../registration.ts'

const fails = () => {
  throw new Error('no licence server')
}

describe('given hooks after a verdict', () => {
  it('one veto is enough; all are asked, and all reasons are told in their order', async () => {
    const veto = (name: string, priority: number): VerifierHook => ({
      name,
      priority,
      point: 'after_verification',
      run: ({ verdict }) => ({ veto: `${verdict.verifier} took too few tests` }),
    })
    const calm: VerifierHook = {
      name: 'calm',
      point: 'after_verification',
      priority: 2,
      run: () => undefined,
    }
    const { merged, ran } = await hookPipeline({ verifiers: [veto('late', 3), calm, veto('early', 1)] }).fire(
      'after_verification',
      verified(),
    )
    expect(merged.veto).toBe(
      'hook early: npm test took too few tests\nhook late: npm test took too few tests',
    )
    expect(ran.map(({ hook, effect }) => [hook, effect])).toEqual([
      ['early', 'denied'],
      ['calm', 'none'],
      ['late', 'denied'],
    ])
  })

  it('a hook cannot make a verdict better: there is no word for it', async () => {
    const forger = { name: 'forger', point: 'after_verification', run: () => ({ status: 'passed' }) }
    const { merged, ran } = await hookPipeline({ verifiers: [forger as unknown as VerifierHook] }).fire(
      'after_verification',
      verified(),
    )
    expect(merged.veto).toContain('hook forger failed, and fails closed')
    expect(ran).toMatchObject([{ effect: 'failed' }])
  })
})

describe('given hooks before the work is called done', () => {
  it('one that fails is a veto in its name', async () => {
    const { merged, refusal } = await hookPipeline({
      verifiers: [{ name: 'licences', point: 'before_finalize', run: fails }],
    }).fire('before_finalize', finalizing('npm test'))
    expect(merged).toEqual({ veto: 'hook licences failed, and fails closed: no licence server' })
    expect(refusal).toBe('hook licences failed, and fails closed: no licence server')
  })

  it('one that fails open is noted', async () => {
    const { merged, refusal, ran } = await hookPipeline({
      verifiers: [{ name: 'licences', point: 'before_finalize', onFailure: 'open', run: fails }],
    }).fire('before_finalize', finalizing('npm test'))
    expect([merged, refusal]).toEqual([{}, undefined])
    expect(ran).toMatchObject([{ effect: 'failed', note: 'no licence server' }])
  })
})

describe('given hooks before a verification', () => {
  const input = { ...occasion(), trigger: 'claim', verifiers: ['npm test', 'lint'] } as const

  it('there is nothing that they may answer', async () => {
    const eager = { name: 'eager', point: 'before_verification', run: () => ({ verifiers: [] }) }
    const { ran } = await hookPipeline({ verifiers: [eager as unknown as VerifierHook] }).fire(
      'before_verification',
      input,
    )
    expect(ran).toMatchObject([{ effect: 'failed', note: expect.stringContaining('verifiers') as string }])
  })

  it('one that fails refuses all the same: beside the answer, which has no word for it', async () => {
    const { merged, refusal } = await hookPipeline({
      verifiers: [
        { name: 'database', point: 'before_verification', run: fails },
        { name: 'server', point: 'before_verification', run: fails },
      ],
    }).fire('before_verification', input)
    expect(merged).toEqual({})
    expect(refusal).toBe(
      'hook database failed, and fails closed: no licence server\nhook server failed, and fails closed: no licence server',
    )
  })
})
