import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Approval, ApprovalQuestion, Approver } from '../../ports.ts'
import { findingsIn, givenRun, hook, read, removeRuns, startedRun, sumTest } from '../fixtures/guarded-run.ts'

afterEach(removeRuns)

describe('given what people allow', () => {
  it('notes what may change', async () => {
    const run = await startedRun({ mayChange: ['.git/hooks/**'] })
    run.put(hook)
    const tree = await run.prepare('claim')
    expect(tree.report.status).toBe('passed')
    expect(findingsIn(tree)[0]).toMatchObject({ response: 'note' })
  })

  it('takes another response for a rule', async () => {
    const run = await startedRun({ responses: { 'git.hooks-changed': 'note', 'test.deleted': 'refuse' } })
    run.put(hook)
    expect((await run.prepare()).report.status).toBe('passed')
    rmSync(join(run.folder, 'test/sum.test.js'))
    expect((await run.prepare()).report.status).toBe('failed')
  })

  const waiver = { rule: 'git.hooks-changed' as const, by: 'ann', reason: 'agreed' }

  it('lets a waived finding pass on its last day, and names who waived it', async () => {
    const run = await startedRun({ waivers: [{ ...waiver, until: '2026-06-15' }] })
    run.put(hook)
    const tree = await run.prepare('claim')
    expect(tree.report).toMatchObject({ status: 'passed', qualifiers: ['waived'] })
    expect(findingsIn(tree)[0]?.waiver).toEqual({ by: 'ann', until: '2026-06-15', reason: 'agreed' })
  })

  it('does not take an expired waiver, one for another rule, or one for another place', async () => {
    const run = await startedRun({
      waivers: [
        { ...waiver, until: '2026-06-14' },
        { ...waiver, until: '2030-01-01', rule: 'test.deleted' },
        { ...waiver, until: '2030-01-01', path: 'test/**' },
      ],
    })
    run.put(hook)
    const { report } = await run.prepare()
    expect(report.status).toBe('failed')
    expect(report.reason).toContain('the waiver of ann expired on 2026-06-14')
  })

  it.each([
    ['a waiver for everything', { by: 'a', until: '2030-01-01', reason: '' }],
    ['a day that is none', { ...waiver, until: 'soon' }],
  ])('does not take %s', (_, given) => {
    expect(() => givenRun({ waivers: [given] })).toThrow('waiver')
  })
})

describe('given the rules of the run themselves', () => {
  it('takes no permission: whoever may write there could give it to himself', async () => {
    const run = await startedRun({
      mayChange: ['**'],
      responses: { 'config.donecheck-changed': 'note' },
      waivers: [{ path: '**', by: 'ann', until: '2030-01-01', reason: 'agreed' }],
    })
    run.put({ 'donecheck.config.ts': 'export default {}\n' })
    const { report } = await run.prepare('claim')
    expect(report).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
    expect(report.reason).not.toContain('mayChange')
  })
})

describe('given that a person must decide', () => {
  function answering(answer: Approval): Approver & { readonly questions: ApprovalQuestion[] } {
    const questions: ApprovalQuestion[] = []
    return {
      questions,
      ask: async (question) => {
        questions.push(question)
        return answer
      },
    }
  }
  const responses = { 'git.hooks-changed': 'ask', 'test.deleted': 'ask' } as const

  it('asks once for everything, shows the change, and remembers a yes over a resume', async () => {
    const approver = answering({ approved: true, by: 'ann', reason: 'fine' })
    const run = await startedRun({ approver, responses })
    run.put(hook)
    rmSync(join(run.folder, 'test/sum.test.js'))
    const tree = await run.prepare()
    expect(tree.report.status).toBe('passed')
    expect(findingsIn(tree)[0]?.message).toContain('allowed by ann: fine')
    run.restart()
    await run.prepare('claim')
    expect(approver.questions).toHaveLength(1)
    expect(approver.questions[0]?.preview).toContain("-test('adds', () => {")
  })

  it('asks again when the same place is changed again', async () => {
    const approver = answering({ approved: true, by: 'ann', reason: 'fine' })
    const run = await startedRun({
      approver,
      responses: { 'test.skipped': 'ask', 'assertion.trivial': 'ask' },
    })
    run.put({ 'test/sum.test.js': sumTest.replace("test('adds'", "test.skip('adds'") })
    await run.prepare()
    run.put({ 'test/sum.test.js': `// later\n${sumTest.replace("test('adds'", "test.skip('adds'")}` })
    await run.prepare()
    expect(approver.questions).toHaveLength(2)
  })

  it('does not believe an answer that somebody else writes down while the run goes on', async () => {
    const approver = answering({ approved: true, by: 'ann', reason: 'fine' })
    const run = await startedRun({ approver, responses })
    run.put(hook)
    await run.prepare()
    const memory = join(run.options.snapshotFolder, 'runs/run-1/guard.json')
    const forged = read(memory)
    rmSync(join(run.folder, '.git/hooks/pre-commit'))
    await run.prepare('baseline')
    run.put(hook)
    writeFileSync(memory, forged)
    await run.prepare()
    expect(approver.questions).toHaveLength(2)
  })

  it('refuses after a no', async () => {
    const run = await startedRun({
      approver: answering({ approved: false, by: 'ann', reason: 'no hooks' }),
      responses,
    })
    run.put(hook)
    const { report } = await run.prepare()
    expect(report.status).toBe('failed')
    expect(report.reason).toContain('refused by ann: no hooks')
  })

  it('waits where nobody can be asked', async () => {
    const run = await startedRun({ responses })
    run.put(hook)
    expect((await run.prepare('claim')).report.status).toBe('pending')
  })

  it('has not decided when the approver throws', async () => {
    const approver = { ask: () => Promise.reject(new Error('no ears')) }
    const run = await startedRun({ approver, responses })
    run.put(hook)
    expect((await run.prepare()).report).toMatchObject({ status: 'error', reason: 'no ears' })
  })
})
