import type { Human, HumanAnswer, HumanQuestion } from '@donecheck/engine/ports/checks'
import type { Colours } from './show-question.ts'
import { talk, type TerminalOptions, terminalKeys } from './terminal-talk.ts'
import { visibleLine, visibleText } from '@donecheck/engine/approvals'
import { assertKnownKeys } from '@donecheck/engine/base'

/**
 * Asks a person whether it is done, one question at a time. A cancelled question, a closed terminal and an interrupt are no
 * answers. Control characters of the details, which the drive may have written, are made visible.
 */
export function terminalHuman(options: TerminalOptions): Human {
  assertKnownKeys(options, terminalKeys, 'terminalHuman')
  let queue: Promise<unknown> = Promise.resolve()
  return {
    ask(question, signal) {
      const answered = queue.then(() =>
        signal.aborted
          ? unansweredYet('the question was not asked in time')
          : askOnce(question, options, signal),
      )
      queue = answered.catch(() => undefined)
      return answered
    },
  }
}

async function askOnce(
  question: HumanQuestion,
  options: TerminalOptions,
  signal: AbortSignal,
): Promise<HumanAnswer> {
  const talked = await talk<HumanAnswer>(
    options,
    signal,
    (colours) => show(question, colours),
    async (prompts, commons) => {
      const choice = await prompts.selectKey({ ...commons, message: 'Is it done?', options: choices() })
      if (prompts.isCancel(choice)) return choice
      // Enter alone chooses none of them.
      if (choice !== 'y' && choice !== 'n')
        return unansweredYet('somebody at the terminal, who will answer later')
      const isApproved = choice === 'y'
      const reason = await prompts.text({ ...commons, ...(isApproved ? whyDone : whyNotDone) })
      if (prompts.isCancel(reason)) return reason
      return { kind: isApproved ? 'approved' : 'denied', by: 'terminal', reason: reason.trim() }
    },
  )
  switch (talked.kind) {
    case 'said':
      return talked.value
    case 'closed':
      return unansweredYet('a terminal: this one is closed')
    case 'cancelled':
    case 'interrupted':
      return unansweredYet('somebody at the terminal')
  }
}

function unansweredYet(waitingFor: string): HumanAnswer {
  return { kind: 'unanswered', waitingFor }
}

function show({ check, question, details }: HumanQuestion, colours: Colours): string {
  const title = `${colours.bold(visibleLine(question))} ${colours.dim(`(${visibleLine(check)})`)}`
  return `\n${title}\n${visibleText(details).trimEnd()}\n`
}

function choices() {
  return [
    { value: 'l' as const, label: 'later: nothing is decided' },
    { value: 'y' as const, label: 'yes, it is done' },
    { value: 'n' as const, label: 'no, it is not' },
  ]
}

const whyDone = { message: 'Anything to record with it?', defaultValue: '' }
const whyNotDone = { message: 'What is missing? The agent is told.', defaultValue: '' }
