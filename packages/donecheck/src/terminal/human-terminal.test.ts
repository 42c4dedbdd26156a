import { describe, expect, it } from 'vitest'
import type { HumanQuestion } from '@donecheck/engine/internal/ports/checks'
import { personAtTerminal } from './fixtures/person-at-terminal.ts'
import { terminalHuman } from './terminal.ts'

const never = new AbortController().signal
const enter = '\r'
const controlC = '\u0003'
const controlD = '\u0004'

const question: HumanQuestion = {
  runId: 'run-1',
  check: 'the page',
  question: 'Is the page as it should be?',
  details: 'See page.html.',
}

describe('given a person at a terminal', () => {
  it('yes approves, with a word to record', async () => {
    const { input, output, answer } = personAtTerminal()
    const asked = terminalHuman({ input, output }).ask(question, never)
    await answer('[?]', 'y')
    await answer('anything to record?', `fine${enter}`)
    expect(await asked).toEqual({ kind: 'approved', by: 'terminal', reason: 'fine' })
  })

  it('no denies, with what is missing', async () => {
    const { input, output, answer } = personAtTerminal()
    const asked = terminalHuman({ input, output }).ask(question, never)
    await answer('[?]', 'n')
    await answer('what is missing?', `the title${enter}`)
    expect(await asked).toEqual({ kind: 'denied', by: 'terminal', reason: 'the title' })
  })

  it.each([
    ['Enter alone', enter],
    ['later', 'l'],
    ['Ctrl-C', controlC],
    ['Ctrl-D', controlD],
  ])('%s decides nothing', async (_, keys) => {
    const { input, output, answer } = personAtTerminal()
    const asked = terminalHuman({ input, output }).ask(question, never)
    await answer('[?]', keys)
    expect(await asked).toMatchObject({ kind: 'unanswered' })
  })

  it('a reason that is cancelled decides nothing', async () => {
    const { input, output, answer } = personAtTerminal()
    const asked = terminalHuman({ input, output }).ask(question, never)
    await answer('[?]', 'y')
    await answer('anything to record?', controlC)
    expect(await asked).toMatchObject({ kind: 'unanswered' })
  })

  it('sees question, check and details, and what would fool the terminal as text', async () => {
    const { input, output, shown } = personAtTerminal()
    const hostile = { ...question, details: 'fine\u001b[2J\u202e' }
    const asked = terminalHuman({ input, output, colours: false }).ask(hostile, never)
    const screen = await shown('[?]')
    expect(screen).toContain('Is the page as it should be? (the page)\nfine\\x1b[2J\\u{202e}\n')
    input.write('l')
    await asked
  })
})

describe('given an end of asking', () => {
  it('an interrupt leaves the question unanswered', async () => {
    const { input, output, shown } = personAtTerminal()
    const stop = new AbortController()
    const asked = terminalHuman({ input, output }).ask(question, stop.signal)
    await shown('[?]')
    stop.abort()
    expect(await asked).toMatchObject({ kind: 'unanswered' })
    expect(await terminalHuman({ input, output }).ask(question, stop.signal)).toMatchObject({
      kind: 'unanswered',
    })
  })

  it('a terminal that is closed leaves it unanswered', async () => {
    const { input, output } = personAtTerminal()
    input.destroy()
    expect(await terminalHuman({ input, output }).ask(question, never)).toEqual({
      kind: 'unanswered',
      waitingFor: 'a terminal: this one is closed',
    })
  })
})
