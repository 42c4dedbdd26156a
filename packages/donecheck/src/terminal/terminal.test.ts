import { PassThrough } from 'node:stream'
import { storeApprover } from '@donecheck/engine/internal/policy/approvals'
import { memoryStore } from '@donecheck/engine/store'
import { describe, expect, it } from 'vitest'
import { approvalQuestion, approverContract } from '@donecheck/engine/internal/testing/contracts'
import { personAtTerminal } from './fixtures/person-at-terminal.ts'
import { terminalApprover } from './terminal.ts'

const never = new AbortController().signal
const enter = '\r'
const controlC = '\u0003'
const controlD = '\u0004'

approverContract('terminalApprover, answered with yes for all,', {
  make: () => {
    const { input, output, answer } = personAtTerminal()
    void answer('[?]', 'a')
    return terminalApprover({ input, output, colours: false })
  },
  approves: true,
})

describe('given a person at a terminal', () => {
  it('yes is yes, once: the next question waits for its own answer', async () => {
    const { input, output, answer } = personAtTerminal()
    const approver = terminalApprover({ input, output })
    const asked = [approver.ask(approvalQuestion(), never), approver.ask(approvalQuestion(), never)]
    await answer('[?]', 'y')
    expect(await asked[0]).toEqual({ approved: true, by: 'terminal', reason: 'yes' })
    await answer('[?]', 'n')
    await answer('why?', enter)
    expect(await asked[1]).toMatchObject({ approved: false })
  })

  it('yes for all is asked once', async () => {
    const { input, output, answer } = personAtTerminal()
    const approver = terminalApprover({ input, output })
    const asked = [approver.ask(approvalQuestion(), never), approver.ask(approvalQuestion(), never)]
    await answer('[?]', 'a')
    const approvals = await Promise.all(asked)
    expect(approvals.map(({ approved }) => approved)).toEqual([true, true])
  })

  it('no asks for a reason, and the agent is told', async () => {
    const { input, output, answer } = personAtTerminal()
    const asked = terminalApprover({ input, output }).ask(approvalQuestion(), never)
    await answer('[?]', 'n')
    await answer('why?', `use b.txt${enter}`)
    expect(await asked).toEqual({ approved: false, by: 'terminal', reason: 'use b.txt' })
  })

  it('Enter alone approves nothing', async () => {
    const { input, output, answer } = personAtTerminal()
    const asked = terminalApprover({ input, output }).ask(approvalQuestion(), never)
    await answer('[?]', enter)
    await answer('why?', enter)
    expect(await asked).toEqual({ approved: false, by: 'terminal', reason: 'refused by the user' })
  })

  it('Ctrl-C is a no, and whoever asked is told', async () => {
    const { input, output, answer } = personAtTerminal()
    const cancelled = Promise.withResolvers<string>()
    const onCancel = () => cancelled.resolve('told')
    const asked = terminalApprover({ input, output, onCancel }).ask(approvalQuestion(), never)
    await answer('[?]', controlC)
    expect(await asked).toMatchObject({ approved: false, by: 'terminal' })
    expect(await cancelled.promise).toBe('told')
  })

  it('sees what would change before the question', async () => {
    const { input, output, shown } = personAtTerminal()
    const asked = terminalApprover({ input, output, colours: false }).ask(
      approvalQuestion({ summary: 'edit \u001b[2Ja.txt', preview: '-old\n+new' }),
      never,
    )
    const screen = await shown('[?]')
    expect(screen).toContain('edit \\x1b[2Ja.txt')
    expect(screen).toContain('-old\n+new\n')
    input.write('y')
    await asked
  })
})

const command = approvalQuestion({
  action: { kind: 'command', script: 'git push origin', folder: '/work' },
  amendment: { prefix: ['git', 'push'] },
})

describe('given a question about a command', () => {
  it.each([
    ['s', { approved: true, scope: 'session' }],
    ['r', { approved: true, scope: 'rule' }],
  ])('the key %s is a yes for longer', async (key, expected) => {
    const { input, output, answer } = personAtTerminal()
    const asked = terminalApprover({ input, output }).ask(command, never)
    await answer('[?]', key)
    expect(await asked).toMatchObject(expected)
  })

  it('a no can be kept too, with its reason', async () => {
    const { input, output, answer } = personAtTerminal()
    const asked = terminalApprover({ input, output }).ask(command, never)
    await answer('[?]', 'd')
    await answer('why?', `never push${enter}`)
    expect(await asked).toEqual({ approved: false, by: 'terminal', reason: 'never push', scope: 'rule' })
  })

  it('shows the rule that would be kept before its key decides anything', async () => {
    const { input, output, shown } = personAtTerminal({ columns: 60 })
    const asked = terminalApprover({ input, output, colours: false }).ask(command, never)
    await shown('[?]')
    input.write('r')
    input.write('?')
    expect(await shown('(Enter)')).toContain('yes, and always: git push …')
    input.write('r')
    expect(await asked).toMatchObject({ scope: 'rule' })
  })
})

describe('given an end of asking', () => {
  it('an interrupt ends the open question and those behind it', async () => {
    const { input, output, shown } = personAtTerminal()
    const stop = new AbortController()
    const approver = terminalApprover({ input, output })
    const asked = [
      approver.ask(approvalQuestion(), stop.signal),
      approver.ask(approvalQuestion(), stop.signal),
    ]
    await shown('[?]')
    stop.abort()
    for (const approval of await Promise.all(asked))
      expect(approval).toMatchObject({ approved: false, by: 'interrupt' })
  })

  it('a terminal that is closed approves nothing', async () => {
    const { input, output, shown } = personAtTerminal()
    const approver = terminalApprover({ input, output })
    const open = approver.ask(approvalQuestion(), never)
    await shown('[?]')
    input.end()
    expect(await open).toMatchObject({ approved: false, by: 'terminal' })
    expect(await approver.ask(approvalQuestion(), never)).toMatchObject({ approved: false })
  })

  it('Ctrl-D ends the question, and the next one is asked again', async () => {
    const { input, output, answer } = personAtTerminal()
    const approver = terminalApprover({ input, output })
    const first = approver.ask(approvalQuestion(), never)
    await answer('[?]', controlD)
    expect(await first).toMatchObject({ approved: false, by: 'terminal' })
    const second = approver.ask(approvalQuestion(), never)
    await answer('[?]', 'n')
    await answer('why?', controlD)
    expect(await second).toMatchObject({ approved: false, by: 'terminal' })
  })

  it('a terminal that cannot be written to approves nothing, and the reason says why', async () => {
    const broken = Object.assign(new PassThrough(), {
      write: () => {
        throw new Error('no such device')
      },
    })
    const approver = terminalApprover({ input: new PassThrough(), output: broken })
    expect(await approver.ask(approvalQuestion(), never)).toEqual({
      approved: false,
      by: 'terminal',
      reason: 'nobody could be asked: no such device',
    })
  })
})

describe('given somebody in another process who answers too', () => {
  it('the prompt goes away when they are faster, and the next question is asked as ever', async () => {
    const { input, output, shown, answer } = personAtTerminal()
    const store = memoryStore()
    const approver = storeApprover({ store, intervalMs: 1, beside: terminalApprover({ input, output }) })
    const asked = approver.ask(approvalQuestion(), never)
    await shown('[?]')
    const [open] = await store.openQuestions()
    const elsewhere = { approved: true, by: 'Mia', reason: 'fine' }
    await store.answerQuestion(open?.id ?? '', { ...elsewhere, answeredAtMs: 1 })
    expect(await asked).toEqual(elsewhere)
    const next = approver.ask(approvalQuestion({ callId: 'call-2' }), never)
    await answer('[?]', 'y')
    expect(await next).toMatchObject({ approved: true, by: 'terminal' })
    expect(await store.openQuestions()).toEqual([])
  })
})
