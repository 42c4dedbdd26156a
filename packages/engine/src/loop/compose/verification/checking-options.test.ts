import { describe, expect, it } from 'vitest'
import type { CheckingOptions } from './checking-options.ts'
import { createAgentLoop, type AgentLoopOptions } from '../compose.ts'
import type { Aggregator } from '@donecheck/core/internal/decide/aggregate'
import { scriptedAgent } from '../../agents/index.ts'
import { UsageError } from '../../../base/index.ts'
import { verifier } from '../../../testing/index.ts'

async function run(options: Partial<AgentLoopOptions>) {
  const agent = scriptedAgent(['I have done it.'], { repeatLast: true })
  const loop = createAgentLoop({ agent, hardCap: { iterations: 4 }, ...options })
  return await loop.run('do it')
}

const answers = { reads: 'answer' } as const

describe('given an aggregator that throws', () => {
  it('nothing is verified, and the run goes on', async () => {
    const aggregator: Aggregator = () => {
      throw new Error('a slip')
    }
    const tests = verifier('tests', () => ({ status: 'passed' }), answers)
    const { transition } = await run({ aggregate: aggregator, hardVerifiers: [tests] })
    expect(transition).toMatchObject({ reason: 'hard_cap', outcome: 'exhausted' })
  })
})

describe('given options that nothing could keep', () => {
  const waiver = { check: 'lint', by: 'mia', until: '2999-01-01', reason: 'r' }

  it.each<readonly [string, CheckingOptions]>([
    ['no check at a time', { maxParallelChecks: 0 }],
    ['half a check', { maxParallelChecks: 1.5 }],
    ['a waiver by nobody', { waive: [{ ...waiver, by: ' ' }] }],
    ['a waiver without a day', { waive: [{ ...waiver, until: 'soon' }] }],
    ['a quarantine on a day that is none', { quarantine: [{ ...waiver, until: '2026-13-45' }] }],
  ])('%s is refused', (_, options) => {
    const agent = scriptedAgent([])
    const lint = verifier('lint', () => ({ status: 'passed' }), answers)
    expect(() => createAgentLoop({ agent, hardVerifiers: [lint], ...options })).toThrow(UsageError)
  })
})
