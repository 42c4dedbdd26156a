/** What a rival laboratory does with single checks: the same input, what it made of it, and what is made of it here. */
import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { allRequired, command, verifierOf, weightedScore, type Verifier } from 'donecheck'
import type { Judge } from '@donecheck/engine/ports/judges'
import { fileMatches, judgedBy } from '@donecheck/engine/verify'
import { describe, expect, it } from 'vitest'
import { bareExitCode, inProject, latestOf, runAgent, shell, verdictsOf } from './trial.ts'

const fine = verifierOf('fine', () => true)
const broken = verifierOf('broken', () => {
  throw new Error('the validator lost its schema')
})
const content: Judge = {
  name: 'critic',
  judge: async () => ({ kind: 'met', reason: 'splendid', quotes: [], score: 1, costUsd: 0 }),
}
const discontent: Judge = {
  name: 'critic',
  judge: async () => ({ kind: 'not-met', reason: 'thin', quotes: [], score: 0.1, costUsd: 0 }),
}
const judged = (judge: Judge) => judgedBy(judge, { rubric: 'it is splendid' })

describe('policies', () => {
  it('theirs: a deterministic check in ERROR passes under the veto; ours: it blocks, by name', async () => {
    const ran = await runAgent(null, { steps: ['Done.'], hardVerifiers: [fine, broken, judged(content)] })
    expect(ran).toMatchObject({ outcome: 'blocked', exitCode: 5 })
    expect(latestOf(ran, 'broken')).toMatchObject({ status: 'error' })
    expect(ran.transition.message).toContain('broken')
  })

  it('theirs: a lone failing model judge PASSes with 0.1; ours: it does not verify, whatever it is asked', async () => {
    const ran = await runAgent(null, { steps: ['Done.'], hardVerifiers: [judged(discontent)] })
    expect(ran).toMatchObject({ outcome: 'exhausted', exitCode: 3 })
    expect(latestOf(ran, 'critic')).toMatchObject({ status: 'failed', score: 0.1 })
  })

  it.each([
    ['deterministicVeto', undefined],
    ['allRequired', allRequired],
  ])('theirs: a lone SKIPPED passes under the veto; ours under %s: proves nothing', async (_, policy) => {
    const report = { status: 'skipped', reason: 'not applicable', canRetry: true } as const
    const skips: Verifier = {
      ...verifierOf('skips', () => false),
      verify: async () => ({ ...report, qualifiers: [], evidence: [] }),
    }
    const chosen = policy === undefined ? {} : { policy }
    const ran = await runAgent(null, { steps: ['Done.'], hardVerifiers: [skips], ...chosen })
    expect(ran).toMatchObject({ outcome: 'unverified', exitCode: 4 })
  })

  it('theirs: scores alone count, so PASS 1.0 and FAIL 0.9 PASS; ours: a failed check adds nothing', async () => {
    const report = { status: 'failed', canRetry: true, reason: '0.9', qualifiers: [], evidence: [] } as const
    const nearly = { ...verifierOf('nearly', () => false), verify: async () => ({ ...report, score: 0.9 }) }
    const policy = weightedScore({ threshold: 0.7 })
    const ran = await runAgent(null, { steps: ['Done.'], hardVerifiers: [fine, nearly], policy })
    expect(ran).toMatchObject({ outcome: 'exhausted', exitCode: 3 })
  })

  it('theirs: no evaluators and no criteria end as any other failure; ours: unverified, exit 4', async () => {
    const ran = await runAgent(null, { steps: ['Done: all criteria are met.'] })
    expect(ran).toMatchObject({ outcome: 'unverified', exitCode: 4, transition: { reason: 'model_ended' } })
  })
})

describe('a check that breaks in the middle of a run', () => {
  const breaking = (times: number): Verifier => {
    let asked = 0
    return verifierOf('breaking', () => {
      asked += 1
      if (asked <= times) throw new Error('no connection to the validator')
      return true
    })
  }

  it('theirs: the run dies, four events; ours: an error that is told, the run goes on, the trace is whole', async () => {
    await inProject({ 'a.txt': 'a\n' }, async (project) => {
      const steps = [shell('echo b > a.txt'), shell('echo c > a.txt'), 'Done.']
      const ran = await runAgent(project, { steps, hardVerifiers: [breaking(2)] })
      expect(ran).toMatchObject({ outcome: 'verified', exitCode: 0 })
      expect(verdictsOf(ran, 'breaking').map(({ status }) => status)).toEqual([
        'error',
        'error',
        'passed',
        'passed',
      ])
      expect(ran.told).toContain('no connection to the validator')
      const types = ran.events.map(({ type }) => type)
      expect(types.filter((type) => type === 'turn-ended')).toHaveLength(ran.usage.iterations)
      expect(types.slice(0, 2)).toEqual(['run-started', 'goal-set'])
      expect(types.at(-1)).toBe('run-stopped')
      expect(ran.events.map(({ sequence }) => sequence)).toEqual(types.map((_, index) => index + 1))
    })
  })

  it.each([
    [
      'a fenced answer with a score above 1',
      { kind: 'met', reason: 'good', quotes: [], score: 7, costUsd: 0 },
    ],
    ['the word "false"', { passed: 'false' }],
    ['a text', '```json\n{"pass": true}\n```'],
  ])(
    'theirs: %s of a critic kills the run or counts as true; ours: error, and the run goes on',
    async (_, said) => {
      const ran = await runAgent(null, {
        steps: ['Done.'],
        hardVerifiers: [verifierOf('critic', () => said)],
      })
      expect(ran).toMatchObject({ outcome: 'blocked', exitCode: 5 })
      expect(verdictsOf(ran, 'critic').length).toBeGreaterThan(1)
      expect(latestOf(ran, 'critic').status).toBe('error')
    },
  )
})

describe('golden files', () => {
  const golden = 'started\nstopped\n'

  it('theirs: a deleted golden file is written anew and the test passes; ours: the check fails, and nothing is written', async () => {
    await inProject({ 'golden/trace.txt': golden }, async (project) => {
      const check = fileMatches('golden/trace.txt', golden, { name: 'golden' })
      const steps = [shell('rm golden/trace.txt'), 'The golden file is up to date.']
      const ran = await runAgent(project, { steps, hardVerifiers: [check], guard: false })
      expect(ran).toMatchObject({ outcome: 'exhausted', exitCode: 3 })
      expect(verdictsOf(ran, 'golden')[0]).toMatchObject({ status: 'passed' })
      expect(latestOf(ran, 'golden').status).toBe('failed')
      expect(existsSync(join(project.folder, 'golden/trace.txt'))).toBe(false)
    })
  })

  /** Writes its snapshot where there is none, as theirs does. */
  const goldenTest = `import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { trace } from './trace.mjs'
const file = '__snapshots__/trace.test.mjs.snap'
test('trace', () => {
  if (!existsSync(file)) { mkdirSync('__snapshots__', { recursive: true }); writeFileSync(file, trace()) }
  assert.equal(trace(), readFileSync(file, 'utf8'))
})
`

  it('theirs: the run without its snapshot is green; ours: checked against the earlier one, too', async () => {
    const files = {
      'trace.mjs': `export const trace = () => 'started\\n'\n`,
      'trace.test.mjs': goldenTest,
      '__snapshots__/trace.test.mjs.snap': golden,
    }
    await inProject(files, async (project) => {
      // A snapshot as any other: the test writes it anew without the right to execute it.
      await chmod(join(project.folder, '__snapshots__/trace.test.mjs.snap'), 0o644)
      const steps = [shell('rm __snapshots__/trace.test.mjs.snap'), 'Done: the test is green.']
      const check = command('node --test', { name: 'tests' })
      const ran = await runAgent(project, { steps, hardVerifiers: [check] })
      expect(ran).toMatchObject({ outcome: 'blocked', exitCode: 5 })
      expect(ran.transition.reason).toBe('awaiting_approval')
      const [, told, ...later] = verdictsOf(ran, 'tests')
      expect(told).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
      expect(told?.reason).toContain('only with the changes of __snapshots__/trace.test.mjs.snap')
      expect(later.map(({ status }) => status)).toEqual(['pending'])
      const { reason, evidence } = latestOf(ran, 'tests')
      expect(reason).toContain('only with the changes of __snapshots__/trace.test.mjs.snap')
      const because: unknown = expect.stringContaining('It holds expected outputs of tests.')
      expect(evidence).toContainEqual({ kind: 'note', text: because })
      expect(await bareExitCode('node --test', project.folder)).toBe(0)
    })
  })
})

describe('budgets', () => {
  it.each([
    ['iterations', { iterations: 1 }],
    ['model_calls', { modelCalls: 1 }],
    ['tool_calls', { toolCalls: 1 }],
  ])(
    'theirs: a spent budget of %s ends as a failure; ours: one last check finds the work done',
    async (cap, hardCap) => {
      await inProject({ 'a.txt': 'wrong\n' }, async (project) => {
        const check = command('grep -q right a.txt', { name: 'right' })
        const steps = [shell('echo right > a.txt'), shell('echo more > b.txt')]
        const options = { hardVerifiers: [check], hardCap, verifyWhen: 'on-claim' } as const
        const ran = await runAgent(project, { steps, ...options })
        expect(ran).toMatchObject({ outcome: 'verified', exitCode: 0, transition: { atCap: cap } })
        const wrong = await runAgent(project, { ...options, steps: [shell('echo worse > a.txt')] })
        expect(wrong).toMatchObject({
          outcome: 'exhausted',
          exitCode: 3,
          transition: { cap, lastCheck: 'run' },
        })
      })
    },
  )
})
