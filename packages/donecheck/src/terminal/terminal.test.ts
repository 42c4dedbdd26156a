import { PassThrough } from 'node:stream'
import { storeApprover } from '@donecheck/engine/approvals'
import { memoryStore } from '@donecheck/engine/store'
import { describe, expect, it } from 'vitest'
import { approvalQuestion, approverContract } from '@donecheck/engine/testing/contracts'
import { choicesFor, terminalApprover } from './terminal.ts'

const never = new AbortController().signal
const enter = '\r'
const controlC = '\u0003'
const controlD = '\u0004'

/** A person who waits for a text on the screen and then types. */
function terminal() {
  const input = new PassThrough()
  const output = new PassThrough()
  let unread = ''
  let wake: () => unknown = () => undefined
  output.on('data', (bytes: Buffer) => {
    unread += bytes.toString()
    wake()
  })
  const shown = async (text: string): Promise<string> => {
    while (!unread.includes(text)) await new Promise<void>((resolve) => (wake = resolve))
    const end = unread.indexOf(text) + text.length
    const seen = unread.slice(0, end)
    unread = unread.slice(end)
    return seen
  }
  const answer = async (text: string, keys: string): Promise<void> => {
    await shown(text)
    input.write(keys)
  }
  return { input, output, shown, answer }
}

approverContract('terminalApprover, answered with yes for all,', {
  make: () => {
    const { input, output, answer } = terminal()
    void answer('Allow it?', 'a')
    return terminalApprover({ input, output, colours: false })
  },
  approves: true,
})

describe('given a person at a terminal', () => {
  it('yes is yes, once: the next question waits for its own answer', async () => {
    const { input, output, answer } = terminal()
    const approver = terminalApprover({ input, output })
    const asked = [approver.ask(approvalQuestion(), never), approver.ask(approvalQuestion(), never)]
    await answer('Allow it?', 'y')
    expect(await asked[0]).toEqual({ approved: true, by: 'terminal', reason: 'yes' })
    await answer('Allow it?', 'n')
    await answer('Why not?', enter)
    expect(await asked[1]).toMatchObject({ approved: false })
  })

  it('yes for all is asked once', async () => {
    const { input, output, answer } = terminal()
    const approver = terminalApprover({ input, output })
    const asked = [approver.ask(approvalQuestion(), never), approver.ask(approvalQuestion(), never)]
    await answer('Allow it?', 'a')
    const approvals = await Promise.all(asked)
    expect(approvals.map(({ approved }) => approved)).toEqual([true, true])
  })

  it('no asks for a reason, and the drive is told', async () => {
    const { input, output, answer } = terminal()
    const asked = terminalApprover({ input, output }).ask(approvalQuestion(), never)
    await answer('Allow it?', 'n')
    await answer('Why not?', `use b.txt${enter}`)
    expect(await asked).toEqual({ approved: false, by: 'terminal', reason: 'use b.txt' })
  })

  it('Enter alone approves nothing', async () => {
    const { input, output, answer } = terminal()
    const asked = terminalApprover({ input, output }).ask(approvalQuestion(), never)
    await answer('Allow it?', enter)
    await answer('Why not?', enter)
    expect(await asked).toEqual({ approved: false, by: 'terminal', reason: 'refused by the user' })
  })

  it('Ctrl-C is a no, and whoever asked is told', async () => {
    const { input, output, answer } = terminal()
    const cancelled = Promise.withResolvers<string>()
    const onCancel = () => cancelled.resolve('told')
    const asked = terminalApprover({ input, output, onCancel }).ask(approvalQuestion(), never)
    await answer('Allow it?', controlC)
    expect(await asked).toMatchObject({ approved: false, by: 'terminal' })
    expect(await cancelled.promise).toBe('told')
  })

  it('sees what would change before the question', async () => {
    const { input, output, shown } = terminal()
    const asked = terminalApprover({ input, output, colours: false }).ask(
      approvalQuestion({ summary: 'edit \u001b[2Ja.txt', preview: '-old\n+new' }),
      never,
    )
    const screen = await shown('Allow it?')
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
    const { input, output, answer } = terminal()
    const asked = terminalApprover({ input, output }).ask(command, never)
    await answer('Allow it?', key)
    expect(await asked).toMatchObject(expected)
  })

  it('a no can be kept too, with its reason', async () => {
    const { input, output, answer } = terminal()
    const asked = terminalApprover({ input, output }).ask(command, never)
    await answer('Allow it?', 'd')
    await answer('Why not?', `never push${enter}`)
    expect(await asked).toEqual({ approved: false, by: 'terminal', reason: 'never push', scope: 'rule' })
  })

  it('shows the rule that would be kept', async () => {
    const { input, output, shown } = terminal()
    const asked = terminalApprover({ input, output, colours: false }).ask(command, never)
    expect(await shown('everything else in this run')).toContain('git push')
    input.write('y')
    await asked
  })

  it('offers no rule where none is proposed, and nothing to remember where no command is run', () => {
    expect(choicesFor(approvalQuestion()).map(({ value }) => value)).toEqual(['n', 'y', 'a'])
    const { amendment, ...unproposed } = command
    expect(amendment).toBeDefined()
    expect(choicesFor(unproposed).map(({ value }) => value)).toEqual(['n', 'y', 's', 'd', 'a'])
  })
})

describe('given an end of asking', () => {
  it('an interrupt ends the open question and those behind it', async () => {
    const { input, output, shown } = terminal()
    const stop = new AbortController()
    const approver = terminalApprover({ input, output })
    const asked = [
      approver.ask(approvalQuestion(), stop.signal),
      approver.ask(approvalQuestion(), stop.signal),
    ]
    await shown('Allow it?')
    stop.abort()
    for (const approval of await Promise.all(asked))
      expect(approval).toMatchObject({ approved: false, by: 'interrupt' })
  })

  it('an interrupted question does not hold up the next one', async () => {
    const { input, output, shown, answer } = terminal()
    const stop = new AbortController()
    const approver = terminalApprover({ input, output })
    const first = approver.ask(approvalQuestion(), stop.signal)
    await shown('Allow it?')
    stop.abort()
    await first
    const second = approver.ask(approvalQuestion(), never)
    await answer('Allow it?', 'y')
    expect(await second).toMatchObject({ approved: true })
  })

  it('a terminal that is closed approves nothing', async () => {
    const { input, output, shown } = terminal()
    const approver = terminalApprover({ input, output })
    const open = approver.ask(approvalQuestion(), never)
    await shown('Allow it?')
    input.end()
    expect(await open).toMatchObject({ approved: false, by: 'terminal' })
    expect(await approver.ask(approvalQuestion(), never)).toMatchObject({ approved: false })
  })

  it('Ctrl-D ends the question, and the next one is asked again', async () => {
    const { input, output, answer } = terminal()
    const approver = terminalApprover({ input, output })
    const first = approver.ask(approvalQuestion(), never)
    await answer('Allow it?', controlD)
    expect(await first).toMatchObject({ approved: false, by: 'terminal' })
    const second = approver.ask(approvalQuestion(), never)
    await answer('Allow it?', 'n')
    await answer('Why not?', controlD)
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
    const { input, output, shown, answer } = terminal()
    const store = memoryStore()
    const approver = storeApprover({ store, intervalMs: 1, beside: terminalApprover({ input, output }) })
    const asked = approver.ask(approvalQuestion(), never)
    await shown('Allow it?')
    const [open] = await store.openQuestions()
    const elsewhere = { approved: true, by: 'Mia', reason: 'fine' }
    await store.answerQuestion(open?.id ?? '', { ...elsewhere, answeredAtMs: 1 })
    expect(await asked).toEqual(elsewhere)
    const next = approver.ask(approvalQuestion({ callId: 'call-2' }), never)
    await answer('Allow it?', 'y')
    expect(await next).toMatchObject({ approved: true, by: 'terminal' })
    expect(await store.openQuestions()).toEqual([])
  })
})
