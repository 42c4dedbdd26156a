import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../../agents/index.ts'
import type { GuardedTree, DecidingRun, Verifier, VerifierResult } from '../../../ports/checks.ts'
import { play, verifier } from '../../../testing/index.ts'
import {
  countedTree,
  edit,
  editOnce,
  guardThat,
  passedReport,
  transitionOf,
  verdictsOf,
} from './fixtures/scene.ts'

describe('given a guard', () => {
  it('every check looks at the tree that it prepared, which is put away afterwards', async () => {
    const folders: (string | null)[] = []
    const check: Verifier = {
      ...verifier('tests', () => ({ status: 'passed' })),
      verify: async ({ workFolder }) => {
        folders.push(workFolder)
        return { ...passedReport, status: folders.length > 1 ? 'passed' : 'failed' }
      },
    }
    const workspace = countedTree()
    const { guard, disposed } = guardThat((call) =>
      call === 1 ? {} : { folder: '/tmp/copy', kind: 'independent-tree' },
    )
    const played = await play({
      agent: scriptedAgent([edit, 'Done.']),
      tools: [editOnce(workspace)],
      verifiers: [check],
      workspace,
      guard,
    })
    expect(transitionOf(played)).toMatchObject({ reason: 'task_complete' })
    expect(folders).toEqual(['/srv/tree', '/tmp/copy'])
    expect(disposed).toEqual([1, 2])
  })

  it.each([
    ['throws', () => Promise.reject(new Error('no snapshot')), 'no snapshot'],
    ['answers nonsense', () => ({ report: { status: 'fine' } as unknown as VerifierResult }), 'nonsense'],
  ])('one that %s has not passed, and nothing is verified', async (_, prepare, words) => {
    const workspace = countedTree()
    const { guard } = guardThat((call) => (call === 1 ? {} : prepare()))
    let asked = 0
    const played = await play({
      agent: scriptedAgent([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: [verifier('tests', () => ({ status: (asked += 1) > 1 ? 'passed' : 'failed' }))],
      workspace,
      guard,
      caps: { maxIterations: 2 },
    })
    expect(transitionOf(played)).toMatchObject({ reason: 'hard_cap', outcome: 'exhausted' })
    expect(verdictsOf(played, 'tamper guard').at(-1)).toMatchObject({ status: 'error' })
    expect(verdictsOf(played, 'tamper guard').at(-1)?.reason).toContain(words)
    expect(verdictsOf(played, 'tests').at(-1)).toMatchObject({ status: 'skipped' })
    expect(asked).toBe(1)
  })

  it.each([undefined, null, {}, { report: passedReport, folder: '/srv/tree' }])(
    'one that answers %j has not passed',
    async (nonsense) => {
      const workspace = countedTree()
      const { guard } = guardThat(() => ({}))
      const played = await play({
        agent: scriptedAgent([edit], { repeatLast: true }),
        tools: [editOnce(workspace)],
        verifiers: [verifier('tests', () => ({ status: 'passed' }))],
        workspace,
        guard: { ...guard, prepare: async () => nonsense as unknown as GuardedTree },
        caps: { maxIterations: 1 },
      })
      expect(verdictsOf(played, 'tamper guard').at(-1)?.reason).toContain('nonsense')
      expect(transitionOf(played)?.outcome).not.toBe('verified')
    },
  )

  it('what is green is asked in the deciding run, and the guard has the word', async () => {
    const { asked, played } = await runWith(async (_, { ask }, signal) => {
      const report = await ask({ folder: '/tmp/independent', mayBeGone: ['a.test.js'] }, signal)
      return { report: { ...report, status: 'pending', reason: 'who allows it?' }, tree: 'both-trees' }
    })
    expect(asked).toEqual(['/srv/tree', '/srv/tree', '/tmp/independent'])
    expect(verdictsOf(played, 'tests').at(-1)).toMatchObject({ status: 'pending', tree: 'both-trees' })
    expect(transitionOf(played)).toMatchObject({ reason: 'awaiting_approval', message: 'who allows it?' })
  })

  it('a claim is asked in the deciding run alone', async () => {
    const { asked, played } = await runWith(async (inPlace, { ask }, signal) => {
      expect(inPlace).toBeUndefined()
      return { report: await ask({ folder: '/tmp/room' }, signal), tree: 'clean-room' }
    }, true)
    expect(asked).toEqual(['/srv/tree', '/tmp/room'])
    expect(verdictsOf(played, 'tests').at(-1)).toMatchObject({ status: 'passed', tree: 'clean-room' })
    expect(transitionOf(played)?.outcome).toBe('verified')
  })

  it('what cannot be decided has not passed', async () => {
    const { played } = await runWith(() => Promise.reject(new Error('no room')))
    expect(verdictsOf(played, 'tests').at(-1)).toMatchObject({ status: 'error' })
    expect(transitionOf(played)?.outcome).not.toBe('verified')
  })

  const noTrial: DecidingRun['tryToFail'] = () => Promise.resolve({ kind: 'green' })

  /** Fails before the first turn, then passes. */
  async function runWith(decide: DecidingRun['decide'], isFirst = false) {
    const workspace = countedTree()
    const asked: (string | null)[] = []
    const { guard } = guardThat((call) =>
      call === 1 ? {} : { deciding: { isFirst, decide, tryToFail: noTrial } },
    )
    const check: Verifier = {
      ...verifier('tests', () => ({ status: 'passed' })),
      verify: async ({ workFolder }) => {
        asked.push(workFolder)
        return { ...passedReport, status: asked.length > 1 ? 'passed' : 'failed' }
      },
    }
    const played = await play({
      agent: scriptedAgent([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: [check],
      workspace,
      guard,
      caps: { maxIterations: 1 },
    })
    return { asked, played }
  }
})

describe('given a check of what is delivered', () => {
  it('it looks at the work folder, whatever copy others look at', async () => {
    const workspace = countedTree()
    const seen: (string | null)[] = []
    const { guard } = guardThat(() => ({ folder: '/tmp/copy', kind: 'independent-tree' }))
    const check: Verifier = {
      ...verifier('file', () => ({ status: 'failed' })),
      looksAt: 'work-folder',
      verify: async ({ workFolder }) => {
        seen.push(workFolder)
        return { ...passedReport, status: 'failed' }
      },
    }
    const played = await play({
      agent: scriptedAgent([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: [check],
      workspace,
      guard,
      caps: { maxIterations: 1 },
    })
    expect(seen).toEqual(['/tmp/copy', '/srv/tree'])
    expect(verdictsOf(played, 'file').at(-1)?.qualifiers).toEqual([])
  })
})
