import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Approval, ApprovalQuestion, Approver } from '../../../ports/gate.ts'
import { allowOpenChanges } from '../run-changes.ts'
import {
  findingsIn,
  givenRun,
  notesIn,
  read,
  startedOutside,
  startedRun,
  sumTest,
} from '../fixtures/guarded-run.ts'
import { askSum } from '../fixtures/sum-check.ts'

const testFile = 'test/sum.test.js'
const weak = sumTest.replace('assert.equal(sum(1, 2), 3)', 'assert.equal(sum(1, 2), -1)')

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

type Run = Awaited<ReturnType<typeof startedRun>>

async function claim(run: Run, trigger: 'claim' | 'change' | 'cap' = 'claim') {
  return (await askSum(await run.prepare(trigger))).report
}

describe('given work that is green only with the changed test', () => {
  it('the agent is told first, and somebody is waited for where it claims again', async () => {
    const run = await startedRun()
    run.put({ [testFile]: weak })
    const first = await claim(run)
    expect(first).toMatchObject({ status: 'failed', canRetry: true, qualifiers: ['tampered'] })
    expect(first.reason).toContain('adds')
    expect(notesIn({ report: first })).toContainEqual(
      expect.stringContaining(`${testFile}: Its name makes it a test`),
    )
    run.restart()
    const second = await claim(run)
    expect(second).toMatchObject({ status: 'pending' })
    expect(second.reason).toContain('donecheck approve run-1')
  })

  it('a cap leaves no time to tell: it waits at once', async () => {
    const run = await startedRun()
    run.put({ [testFile]: weak })
    expect((await claim(run, 'cap')).status).toBe('pending')
  })

  it('ends the run where that is refused', async () => {
    const run = await startedRun({ onTamper: 'refuse' })
    run.put({ [testFile]: weak })
    await claim(run, 'change')
    expect(await claim(run)).toMatchObject({ status: 'failed', canRetry: false, qualifiers: ['tampered'] })
  })

  it('an earlier test of which nothing was changed is never a matter of opinion', async () => {
    const run = await startedRun()
    run.put({ 'conftest.py': 'patch everything' })
    await claim(run)
    const again = await claim(run)
    expect(again).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
    expect(again.reason).toContain('not changed, and red: adds')
  })

  it.each([
    ['a flag', { mayChange: ['test/**'] }, '--may-change'],
    ['a waiver', { waivers: [{ path: testFile, by: 'ann', until: '2026-06-15', reason: 'agreed' }] }, 'ann'],
  ])('%s that was given beforehand is authority, and stands on the verdict', async (_, options, by) => {
    const run = await startedRun(options)
    run.put({ [testFile]: weak })
    const tree = await run.prepare('claim')
    expect(tree.mayBeGone).not.toBe('any')
    expect(tree.mayBeGone).toEqual([testFile])
    expect(tree.report.reason).toContain(`allowed by ${by}: ${testFile}`)
    expect(tree.report.evidence[0]).toMatchObject({ kind: 'authority', paths: [testFile], by })
  })
})

describe('given nobody here, and a place where questions are kept', () => {
  it('the question is kept with its difference, named first, and its answer is found', async () => {
    const asked: ApprovalQuestion[] = []
    const answers: Approval[] = []
    const approver: Approver = {
      isAttended: false,
      ask: () => Promise.reject(new Error('nobody is here')),
      askOnce: (question) => {
        asked.push(question)
        return Promise.resolve(answers[0] ?? { openQuestion: 'q-1' })
      },
    }
    const run = await startedRun({ approver })
    run.put({ [testFile]: weak })
    await claim(run)
    const waiting = await claim(run)
    expect(waiting).toMatchObject({ status: 'pending' })
    expect(waiting.reason).toMatch(/^needs approval \(donecheck approve q-1\): npm test passes only with/u)
    expect(asked[0]?.preview).toMatch(/^✗ adds \(test\/sum\.test\.js\)\n--- test\/sum\.test\.js/u)
    answers.push({ approved: true, by: 'ann', reason: 'agreed' })
    expect(await claim(run)).toMatchObject({ status: 'passed' })
  })
})

describe('given somebody who can be asked', () => {
  it('asks once, with the difference and the failing tests, and remembers a yes over a resume', async () => {
    const approver = answering({ approved: true, by: 'ann', reason: 'the price includes tax now' })
    const run = await startedRun({ approver })
    run.put({ [testFile]: weak })
    await claim(run, 'change')
    const said = await claim(run)
    expect(said).toMatchObject({ status: 'passed' })
    expect(said.evidence).toContainEqual({
      kind: 'authority',
      paths: [testFile],
      by: 'ann',
      reason: 'the price includes tax now',
    })
    run.restart()
    expect((await run.prepare('claim')).mayBeGone).not.toBe('any')
    expect(approver.questions).toHaveLength(1)
    expect(approver.questions[0]?.preview).toContain('+  assert.equal(sum(1, 2), -1)')
    expect(approver.questions[0]?.preview).toContain(`✗ adds (${testFile})`)
  })

  it('asks again when the same place is changed again', async () => {
    const approver = answering({ approved: true, by: 'ann', reason: 'fine' })
    const run = await startedRun({ approver })
    run.put({ [testFile]: weak })
    await claim(run, 'change')
    await claim(run)
    run.put({ [testFile]: `// later\n${weak}` })
    await claim(run)
    expect(approver.questions).toHaveLength(2)
  })

  it('does not believe an answer that somebody else writes down while the run goes on', async () => {
    const approver = answering({ approved: true, by: 'ann', reason: 'fine' })
    const run = await startedOutside({ approver })
    run.change()
    await run.prepare('change')
    await run.prepare('claim')
    const memory = join(run.options.snapshotFolder, 'runs/run-1/guard.json')
    const forged = read(memory)
    run.undo()
    await run.prepare('baseline')
    run.change()
    writeFileSync(memory, forged)
    await run.prepare('change')
    await run.prepare('claim')
    expect(approver.questions).toHaveLength(2)
  })

  it('a no is told to the agent, and is not asked for again', async () => {
    const approver = answering({ approved: false, by: 'ann', reason: 'the test is right' })
    const run = await startedRun({ approver })
    run.put({ [testFile]: weak })
    await claim(run, 'change')
    for (let time = 0; time < 2; time += 1) {
      const said = await claim(run)
      expect(said).toMatchObject({ status: 'failed', canRetry: true })
      expect(said.reason).toContain('refused by ann: the test is right')
    }
    expect(approver.questions).toHaveLength(1)
  })

  it('has not decided when the approver throws', async () => {
    const run = await startedRun({ approver: { ask: () => Promise.reject(new Error('no ears')) } })
    run.put({ [testFile]: weak })
    await claim(run, 'change')
    const said = await claim(run)
    expect(said).toMatchObject({ status: 'error' })
    expect(said.reason).toContain('no ears')
  })
})

describe('given a run that waits', () => {
  const words = { runId: 'run-1', by: 'ann', reason: 'agreed' }

  it('is allowed from outside, for these contents alone', async () => {
    const run = await startedRun()
    run.put({ [testFile]: weak })
    await claim(run, 'change')
    await claim(run)
    const { snapshotFolder } = run.options
    expect(allowOpenChanges({ ...words, snapshotFolder, paths: [] })).toEqual([testFile])
    run.restart()
    expect((await run.prepare('claim')).report.reason).toContain(`allowed by ann: ${testFile}`)
    run.put({ [testFile]: `${weak}// more\n` })
    expect((await claim(run)).status).toBe('pending')
  })
})

describe('given waivers', () => {
  const waiver = { rule: 'check-script.changed' as const, by: 'ann', reason: 'agreed' }

  it('lets a waived finding pass on its last day, and names who waived it', async () => {
    const run = await startedOutside({ waivers: [{ ...waiver, until: '2026-06-15' }] })
    run.change()
    const tree = await run.prepare('claim')
    expect(tree.report).toMatchObject({ status: 'passed', qualifiers: ['waived'] })
    expect(findingsIn(tree)[0]?.waiver).toEqual({ by: 'ann', until: '2026-06-15', reason: 'agreed' })
  })

  it('does not take an expired one, one for another rule, or one for another place', async () => {
    const run = await startedOutside({
      waivers: [
        { ...waiver, until: '2026-06-14' },
        { ...waiver, until: '2030-01-01', rule: 'permissions.changed' },
        { ...waiver, until: '2030-01-01', path: 'test/**' },
      ],
    })
    run.change()
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
  it('take no permission: whoever may write there could give it to himself', async () => {
    const run = await startedRun({
      mayChange: ['**'],
      waivers: [{ path: '**', by: 'ann', until: '2030-01-01', reason: 'agreed' }],
    })
    run.put({ 'donecheck.config.ts': 'export default {}\n' })
    const { report } = await run.prepare('claim')
    expect(report).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
    expect(report.reason).not.toContain('--may-change')
  })
})
