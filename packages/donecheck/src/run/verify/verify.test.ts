import { describe, expect, it } from 'vitest'
import { quorum } from '../../core/index.ts'
import { scriptedDrive } from '../../drive/index.ts'
import type { Verdict } from '../../events/index.ts'
import type { Guard, GuardedTree, Verifier, VerifierReport, Workspace } from '../../ports.ts'
import { play, tool, verifier, type Played } from '../../testing/index.ts'

const ok = { status: 'ok', output: 'written' } as const
const passedReport = {
  status: 'passed',
  reason: 'as it was',
  canRetry: true,
  qualifiers: [],
  evidence: [],
} as const

/** Equal numbers are equal trees; every write makes a new one. */
function countedTree(): Workspace & { touch(): void } {
  let version = 0
  return {
    folder: '/srv/tree',
    fingerprint: async () => `tree-${version}`,
    touch: () => {
      version += 1
    },
  }
}

function guardThat(prepare: (call: number) => Partial<GuardedTree> | Promise<Partial<GuardedTree>>) {
  let calls = 0
  const disposed: number[] = []
  const guard: Guard = {
    description: {
      name: 'tamper guard',
      required: true,
      weight: 0,
      deterministic: true,
      reads: 'workspace',
      role: 'guard',
    },
    prepare: async () => {
      calls += 1
      const call = calls
      return {
        report: passedReport,
        folder: '/srv/tree',
        kind: 'work-folder',
        variant: '',
        dispose: async () => void disposed.push(call),
        ...(await prepare(call)),
      }
    },
  }
  return { guard, disposed, calls: () => calls }
}

function verdictsOf({ events }: Played, name: string): readonly Verdict[] {
  return events.flatMap((event) =>
    event.type === 'verdict-given' && event.verdict.verifier === name ? [event.verdict] : [],
  )
}

function transitionOf({ state }: Played) {
  return state.phase.kind === 'stopped' ? state.phase.transition : undefined
}

const editOnce = (workspace: { touch(): void }) =>
  tool('write', () => {
    workspace.touch()
    return ok
  })
const edit = { tools: [{ tool: 'write', args: {} }] }

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
      call === 1 ? {} : { folder: '/tmp/copy', kind: 'restored-copy' },
    )
    const played = await play({
      drive: scriptedDrive([edit, 'Done.']),
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
    ['answers nonsense', () => ({ report: { status: 'fine' } as unknown as VerifierReport }), 'nonsense'],
  ])('one that %s has not passed, and nothing is verified', async (_, prepare, words) => {
    const workspace = countedTree()
    const { guard } = guardThat((call) => (call === 1 ? {} : prepare()))
    let asked = 0
    const played = await play({
      drive: scriptedDrive([edit], { repeatLast: true }),
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

  it('a failure in a restored copy says so', async () => {
    const workspace = countedTree()
    const { guard } = guardThat((call) => (call === 1 ? {} : { kind: 'restored-copy' }))
    const played = await play({
      drive: scriptedDrive([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: [verifier('tests', () => ({ status: 'failed', reason: 'red' }))],
      workspace,
      guard,
      caps: { maxIterations: 1 },
    })
    expect(verdictsOf(played, 'tests').map(({ qualifiers }) => qualifiers)).toEqual([[], ['tampered']])
  })
})

describe('given a check of what is delivered', () => {
  it('it looks at the work folder, whatever copy others look at', async () => {
    const workspace = countedTree()
    const seen: (string | null)[] = []
    const { guard } = guardThat(() => ({ folder: '/tmp/copy', kind: 'restored-copy' }))
    const check: Verifier = {
      ...verifier('file', () => ({ status: 'failed' })),
      looksAt: 'work-folder',
      verify: async ({ workFolder }) => {
        seen.push(workFolder)
        return { ...passedReport, status: 'failed' }
      },
    }
    const played = await play({
      drive: scriptedDrive([edit], { repeatLast: true }),
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

describe('given several checks', () => {
  it('a veto leaves the rest out, with words, and what was learned stays', async () => {
    const workspace = countedTree()
    const asked: string[] = []
    const check = (name: string, later: 'passed' | 'failed') =>
      verifier(name, (call) => {
        asked.push(`${name} ${call}`)
        return { status: call === 1 ? 'failed' : later }
      })
    const played = await play({
      drive: scriptedDrive([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: [check('a', 'passed'), check('b', 'failed'), check('c', 'passed')],
      workspace,
      caps: { maxIterations: 1 },
    })
    expect(asked).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2'])
    expect(verdictsOf(played, 'c').at(-1)).toMatchObject({
      status: 'skipped',
      reason: 'not asked to its end: b has decided already',
    })
    expect(verdictsOf(played, 'a').at(-1)).toMatchObject({ status: 'passed' })
  })

  it('a veto breaks off what is under way beside it', async () => {
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
      drive: scriptedDrive([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: [waits, verifier('quick', () => ({ status: 'failed' }))],
      workspace,
      checking: { maxParallel: 2 },
      caps: { maxIterations: 1 },
    })
    expect(wasAborted).toBe(true)
    expect(verdictsOf(played, 'waits').at(-1)).toMatchObject({ status: 'skipped' })
  })

  it('under a quorum a failure alone breaks nothing off', async () => {
    const workspace = countedTree()
    const check = (name: string, later: 'passed' | 'failed') =>
      verifier(name, (call) => ({ status: call === 1 ? 'failed' : later }))
    const played = await play({
      drive: scriptedDrive([edit, 'Done.']),
      tools: [editOnce(workspace)],
      verifiers: [check('a', 'failed'), check('b', 'passed'), check('c', 'passed')],
      workspace,
      policy: quorum({ atLeast: 2 }),
    })
    expect(transitionOf(played)).toMatchObject({ reason: 'task_complete' })
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
      drive: scriptedDrive(['Done.']),
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
    await play({
      drive: scriptedDrive([edit], { repeatLast: true }),
      tools: [editOnce(workspace)],
      verifiers: [
        verifier('judge', () => (asked.push('judge'), { status: 'failed' }), { deterministic: false }),
        verifier('tests', () => (asked.push('tests'), { status: 'failed' })),
      ],
      workspace,
      caps: { maxIterations: 1 },
    })
    expect(asked).toEqual(['tests', 'judge', 'tests'])
  })
})

describe('given waivers', () => {
  const waiver = { check: 'lint', by: 'mia', until: '2000-01-01', reason: 'a broken rule' }
  const scene = (until: string) => {
    const workspace = countedTree()
    return {
      drive: scriptedDrive([edit], { repeatLast: true }),
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
    // The clock of the stage stands in January 1970.
    const played = await play(scene('1970-02-01'))
    expect(transitionOf(played)).toMatchObject({ reason: 'task_complete' })
    expect(verdictsOf(played, 'lint').at(-1)).toMatchObject({
      status: 'skipped',
      qualifiers: ['waived'],
      reason: 'lint is waived by mia until 1970-02-01: a broken rule',
    })
  })

  it('one that has expired is none', async () => {
    expect(transitionOf(await play(scene('1969-12-31')))).toMatchObject({ outcome: 'exhausted' })
  })
})
