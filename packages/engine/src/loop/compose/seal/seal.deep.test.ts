/** Runs with sealed checks: when they are asked, what is recorded of them, and what a run that goes on finds. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/events'
import { UsageError } from '../../../base/index.ts'
import { acceptAll } from '../../../policy/approvals/index.ts'
import {
  authorOf,
  countsQuantities,
  done,
  emptyIsNothing,
  givenShop,
  newFolder,
  projectCheck,
  removeFolders,
  source,
  task,
} from '../fixtures/shop.ts'
import type { ApprovalQuestion, Approver } from '../../../ports/gate.ts'
import { openSqliteStore } from '../../../system/store/index.ts'
import { command } from '../../../checks/verify/index.ts'
import { scriptedDrive } from '../../drives/index.ts'
import { createAgentLoop, type AgentLoopOptions } from '../compose.ts'

afterEach(removeFolders)

const good = authorOf('good', [countsQuantities, emptyIsNothing])

/** A drive that writes these texts, one in each turn, and claims each time to be done. */
function givenRun(works: readonly string[], options: Partial<AgentLoopOptions> = {}) {
  const [workFolder, folder] = [givenShop(), newFolder()]
  const store = openSqliteStore({ folder })
  const drive = scriptedDrive(
    works.map((text) => () => {
      writeFileSync(join(workFolder, 'price.js'), text)
      return 'It is done.'
    }),
    { repeatLast: true, description: { sideEffects: true } },
  )
  const usual = {
    drive,
    workFolder,
    store,
    hardVerifiers: [command(projectCheck)],
    hardCap: { iterations: 3 },
  }
  const loopWith = (more: Partial<AgentLoopOptions>) => createAgentLoop({ ...usual, ...options, ...more })
  return { workFolder, store, folder, loopWith, run: () => loopWith({ seal: [good] }).run(task) }
}

const factIn = (events: readonly RunEvent[]) => events.find((event) => event.type === 'checks-sealed')

describe('given a run with sealed checks', () => {
  it('right work is verified by them, and the record has no word of what they ask', async () => {
    const { run, store, folder, workFolder } = givenRun([done])
    const { transition, heldOut, runId } = await run()
    expect(transition).toMatchObject({ reason: 'task_complete', outcome: 'verified' })
    expect(heldOut?.heldOut).toEqual({ passed: 2, total: 2 })
    const events = await store.read(runId)
    expect(factIn(events)).toMatchObject({
      authors: [{ name: 'good', costUsd: 0.01 }],
      checks: [
        { name: 'sealed 1', kind: 'acceptance' },
        { name: 'sealed 2', kind: 'guard' },
      ],
    })
    expect(JSON.stringify(factIn(events))).not.toContain('quantity')
    expect(existsSync(join(folder, 'sealed', runId, 'checks.json'))).toBe(true)
    expect(readdirSync(join(workFolder, 'test'))).toEqual(['total.js'])
  })

  it('work that does not do the task is green by the own checks of the project, and is not verified', async () => {
    const { run, store } = givenRun([source('price * 1'), done])
    const { transition, usage, runId } = await run()
    expect(transition.outcome).toBe('verified')
    expect(usage.iterations).toBe(2)
    const feedback = (await store.read(runId)).flatMap((event) =>
      event.type === 'turn-ended' ? [event.feedback ?? ''] : [],
    )
    expect(feedback.join('\n')).not.toMatch(/quantit|test\/counts/)
  })

  it('whose author is down, the run goes on without them, and says so', async () => {
    const { loopWith, store } = givenRun([done])
    const down = { name: 'down', propose: () => Promise.reject(new Error('ECONNREFUSED')) }
    const { transition, heldOut, runId } = await loopWith({ seal: [down] }).run(task)
    expect(transition.outcome).toBe('verified')
    expect(heldOut).toBeNull()
    expect(factIn(await store.read(runId))).toMatchObject({
      checks: [],
      authors: [{ problem: 'gave no answer: ECONNREFUSED' }],
    })
  })
})

describe('given sealed checks and no other', () => {
  const alone = { hardVerifiers: [], seal: [good] }

  it('then they decide: right work is verified, other work is sent back without a word of them', async () => {
    const { loopWith, store } = givenRun([source('price * 1'), done])
    const { transition, usage, runId } = await loopWith(alone).run(task)
    expect(transition).toMatchObject({ reason: 'task_complete', outcome: 'verified' })
    expect(usage.iterations).toBe(2)
    const feedback = (await store.read(runId)).flatMap((event) =>
      event.type === 'turn-ended' ? [event.feedback ?? ''] : [],
    )
    expect(feedback.join('\n')).toContain('1 of 2 unseen checks')
  })

  it('then work that is never right is not verified', async () => {
    const { loopWith } = givenRun([source('price * 1')])
    const { transition } = await loopWith(alone).run(task)
    expect(transition.outcome).toBe('exhausted')
  })

  it('then no turn is paid for where none of them stands, and what it cost is on record', async () => {
    const { loopWith } = givenRun([done])
    const green = { ...countsQuantities, command: 'node -e ""' }
    const { transition, usage, state } = await loopWith({ ...alone, seal: [authorOf('lazy', [green])] }).run(
      task,
    )
    expect(transition).toMatchObject({ reason: 'error', outcome: 'error' })
    expect(transition.message).toContain('no sealed check stands')
    expect(usage.modelCalls).toBe(0)
    expect(state.checksCostUsd).toBe(0.01)
  })

  it('then a run that is gone on with has them still', async () => {
    const { loopWith, store, workFolder } = givenRun([done])
    const { runId } = await loopWith(alone).run(task)
    writeFileSync(join(workFolder, 'price.js'), source('price'))
    const sealed = (await store.read(runId)).find(({ type }) => type === 'checks-sealed')
    await store.cutOff(runId, (sealed?.sequence ?? 0) + 1, () => undefined)
    const { transition } = await loopWith({ hardVerifiers: [] }).resume(runId)
    expect(transition.outcome).toBe('verified')
  })
})

describe('given a run that was killed before its first turn', () => {
  /** The record and the folder as a kill leaves them. */
  async function killed() {
    const scene = givenRun([done])
    const { runId } = await scene.run()
    writeFileSync(join(scene.workFolder, 'price.js'), source('price'))
    const sealed = (await scene.store.read(runId)).find(({ type }) => type === 'checks-sealed')
    await scene.store.cutOff(runId, (sealed?.sequence ?? 0) + 1, () => undefined)
    return { ...scene, runId }
  }

  it('it goes on with the same checks, whether or not an author is named', async () => {
    const { loopWith, runId, store } = await killed()
    const { transition, heldOut } = await loopWith({}).resume(runId)
    expect(transition.outcome).toBe('verified')
    expect(heldOut?.heldOut).toEqual({ passed: 2, total: 2 })
    expect((await store.read(runId)).filter(({ type }) => type === 'checks-sealed')).toHaveLength(1)
  })

  it('it does not go on where one of them was changed', async () => {
    const { loopWith, runId, folder, store } = await killed()
    const before = await store.read(runId)
    writeFileSync(join(folder, 'sealed', runId, 'files/test/counts.js'), '')
    await expect(Promise.resolve(loopWith({}).resume(runId))).rejects.toThrow('they were changed')
    expect(await store.read(runId)).toEqual(before)
  })
})

describe('given a person who sits there', () => {
  it('is shown every check before it is run, and a no drops it', async () => {
    const questions: ApprovalQuestion[] = []
    const approver: Approver = {
      async ask(question) {
        questions.push(question)
        return { approved: question.summary === emptyIsNothing.title, by: 'Ada', reason: 'because' }
      },
    }
    const { loopWith, store } = givenRun([done])
    const { runId } = await loopWith({ seal: [good], approver }).run(task)
    expect(questions.map(({ preview }) => preview)).toEqual([
      expect.stringContaining('quantity: 3'),
      expect.stringContaining('total([])'),
    ])
    expect(factIn(await store.read(runId))).toMatchObject({
      checks: [{ name: 'sealed 1', kind: 'guard', approvedBy: 'Ada' }],
      dropped: [{ author: 'good', reason: 'Ada said no: because' }],
    })
  })

  it('what the gate forbids is not even shown', async () => {
    const destructive = { ...countsQuantities, command: 'rm -rf ~' }
    const { loopWith, store } = givenRun([done])
    const sealing = loopWith({ seal: [authorOf('rash', [destructive])], approver: acceptAll() })
    const { runId } = await sealing.run(task)
    const fact = factIn(await store.read(runId))
    expect(fact?.type === 'checks-sealed' && fact.dropped[0]?.reason).toContain(
      'the gate forbids its command',
    )
  })
})

describe('given options with which sealed checks could never be asked', () => {
  it.each<[string, Partial<AgentLoopOptions>]>([
    ['no guard', { guard: false }],
    ['one author twice', { seal: [good, good] }],
  ])('%s is refused', (_, options) => {
    const { loopWith } = givenRun([])
    expect(() => loopWith({ seal: [good], ...options })).toThrow(UsageError)
  })
})
