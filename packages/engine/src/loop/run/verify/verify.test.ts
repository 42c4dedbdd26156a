import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../../agents/index.ts'
import type { Verifier } from '../../../ports/checks.ts'
import { play, verifier } from '../../../testing/index.ts'
import {
  countedTree,
  edit,
  editOnce,
  feedbackOf,
  passedReport,
  transitionOf,
  verdictsOf,
} from './fixtures/scene.ts'

describe('given several checks', () => {
  const threeChecks = (asked: string[]) =>
    (['a', 'b', 'c'] as const).map((name) =>
      verifier(name, (call) => {
        asked.push(`${name} ${call}`)
        return { status: call === 1 || name !== 'a' ? 'failed' : 'passed' }
      }),
    )

  it('all run to their end, so that the agent and the end hear of everything that is red', async () => {
    const workspace = countedTree()
    const asked: string[] = []
    const played = await play({
      agent: scriptedAgent([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: threeChecks(asked),
      workspace,
      caps: { maxIterations: 1 },
    })
    expect(asked).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'c 2'])
    expect(verdictsOf(played, 'c').at(-1)).toMatchObject({ status: 'failed' })
    expect(feedbackOf(played)).toMatch(/Check "b" failed[^]*Check "c" failed/)
  })

  it('told to fail fast, a veto breaks off what is under way beside it', async () => {
    const workspace = countedTree()
    let wasAborted = false
    const waits: Verifier = {
      ...verifier('waits', () => ({ status: 'passed' })),
      verify: (context, signal) =>
        context.trigger === 'baseline'
          ? Promise.resolve({ ...passedReport, status: 'failed' })
          : new Promise((resolve) =>
              signal.addEventListener('abort', () => {
                wasAborted = true
                resolve({ ...passedReport, status: 'error', reason: 'interrupted' })
              }),
            ),
    }
    const played = await play({
      agent: scriptedAgent([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: [waits, verifier('quick', () => ({ status: 'failed' }))],
      workspace,
      checking: { maxParallel: 2, failFast: true },
      caps: { maxIterations: 1 },
    })
    expect(wasAborted).toBe(true)
    expect(verdictsOf(played, 'waits').at(-1)).toMatchObject({ status: 'skipped' })
  })

  it('never more at a time than allowed, and an exclusive one alone', async () => {
    let running = 0
    const peaks: Record<string, number> = {}
    const check = (name: string, exclusive = false): Verifier => ({
      ...verifier(name, () => ({ status: 'passed' })),
      exclusive,
      verify: async () => {
        running += 1
        await new Promise((resolve) => setImmediate(resolve))
        peaks[name] = running
        running -= 1
        return { ...passedReport }
      },
    })
    await play({
      agent: scriptedAgent(['Done.']),
      verifiers: [check('a'), check('b'), check('alone', true), check('c'), check('d')],
      checking: { maxParallel: 2 },
      caps: { maxIterations: 1 },
    })
    expect(Math.max(...Object.values(peaks))).toBe(2)
    expect(peaks['alone']).toBe(1)
  })

  it('a judge is not asked after a veto', async () => {
    const workspace = countedTree()
    const asked: string[] = []
    const played = await play({
      agent: scriptedAgent([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: [
        verifier('judge', () => (asked.push('judge'), { status: 'failed' }), { deterministic: false }),
        verifier('tests', () => (asked.push('tests'), { status: 'failed' })),
      ],
      workspace,
      caps: { maxIterations: 1 },
    })
    expect(asked).toEqual(['tests', 'judge', 'tests'])
    expect(verdictsOf(played, 'judge').at(-1)?.reason).toBe('judge did not run: tests failed')
  })
})

describe('given waivers', () => {
  const waiver = { check: 'lint', by: 'mia', until: '2000-01-01', reason: 'a broken rule' }
  const scene = (until: string) => {
    const workspace = countedTree()
    return {
      agent: scriptedAgent([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: [
        verifier('lint', () => ({ status: 'failed' })),
        verifier('tests', (call) => ({ status: call === 1 ? 'failed' : 'passed' })),
      ],
      workspace,
      caps: { maxIterations: 1 },
      checking: { waivers: [{ ...waiver, until }] },
    }
  }

  it('a waived check is left out, and says by whom, until when and why', async () => {
    // The clock of the stage is in January 1970.
    const played = await play(scene('1970-02-01'))
    expect(transitionOf(played)).toMatchObject({ reason: 'task_complete' })
    expect(verdictsOf(played, 'lint').at(-1)).toMatchObject({
      status: 'skipped',
      qualifiers: ['waived'],
      reason: 'lint is waived by mia until 1970-02-01: a broken rule',
    })
  })
})
