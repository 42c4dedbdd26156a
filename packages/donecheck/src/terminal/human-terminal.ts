import type { Human, HumanAnswer, HumanQuestion } from '@donecheck/engine/ports/checks'
import type { Colours } from './key-prompt.ts'
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
    async (askByKey) => {
      const answer = await askByKey({ text: 'Is it done?', choices, enter: 'l' })
      if (answer === undefined) return undefined
      if (answer.key === 'l') return unansweredYet('somebody at the terminal, who will answer later')
      return { kind: answer.key === 'y' ? 'approved' : 'denied', by: 'terminal', reason: answer.text }
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

const choices = [
  { key: 'y', label: 'yes', meaning: 'yes', followUp: 'anything to record?', rank: 1 },
  { key: 'n', label: 'no', meaning: 'no', followUp: 'what is missing? (for the agent)', rank: 1 },
  { key: 'l', label: 'later', meaning: 'later, nothing is decided', rank: 1 },
] as const
