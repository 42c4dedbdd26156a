import type { Approval, ApprovalQuestion, Approver } from '@donecheck/engine/ports/gate'
import { interrupted, visibleLine } from '@donecheck/engine/approvals'
import type { KeyChoice } from './key-prompt.ts'
import { questionLines, showQuestion } from './show-question.ts'
import { talk, type TerminalOptions, terminalKeys, writeAnswer } from './terminal-talk.ts'
import { assertKnownKeys, messageOf } from '@donecheck/engine/base'

/** Who answers here, in the record. */
export const terminalName = 'terminal'

/**
 * Asks a person, one question at a time: yes, no with a reason for the drive, and both for longer than this once: this call
 * in this run, or as a rule that is kept where the gate proposes one.
 * Whatever the model wrote is shown with its control characters made visible.
 */
export function terminalApprover(options: TerminalOptions): Approver {
  assertKnownKeys(options, terminalKeys, 'terminalApprover')
  let acceptsTheRest = false
  let queue: Promise<unknown> = Promise.resolve()
  const askInTurn = async (question: ApprovalQuestion, signal: AbortSignal): Promise<Approval> => {
    if (signal.aborted) return interrupted
    if (acceptsTheRest) {
      await writeAnswer(questionLines(question).text, 'yes, as everything else in this run', options)
      return { approved: true, by: terminalName, reason: 'yes for the rest of this run' }
    }
    const answer = await askOnce(question, options, signal)
    if (answer.kind === 'yes-to-all') acceptsTheRest = true
    return approvalOf(answer)
  }
  return {
    ask: (question, signal) => {
      const answered = queue.then(() => askInTurn(question, signal)).catch(notAsked)
      queue = answered
      return unlessAborted(answered, signal)
    },
  }
}

function notAsked(error: unknown): Approval {
  return { approved: false, by: terminalName, reason: `nobody could be asked: ${messageOf(error)}` }
}

/** A question that still waits for its turn is answered at once. */
async function unlessAborted(answered: Promise<Approval>, signal: AbortSignal): Promise<Approval> {
  const aborted = Promise.withResolvers<Approval>()
  const onAbort = () => aborted.resolve(interrupted)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([aborted.promise, answered])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

type Answer =
  | {
      readonly kind:
        'yes' | 'yes-again' | 'yes-always' | 'yes-to-all' | 'interrupted' | 'cancelled' | 'closed'
    }
  | { readonly kind: 'no' | 'never'; readonly reason: string }

function approvalOf(answer: Answer): Approval {
  const by = terminalName
  switch (answer.kind) {
    case 'yes':
      return { approved: true, by, reason: 'yes' }
    case 'yes-again':
      return { approved: true, by, reason: 'yes, and this again in this run', scope: 'session' }
    case 'yes-always':
      return { approved: true, by, reason: 'yes, and from now on by a rule', scope: 'rule' }
    case 'yes-to-all':
      return { approved: true, by, reason: 'yes, and yes for the rest of this run' }
    case 'no':
      return { approved: false, by, reason: answer.reason }
    case 'never':
      return { approved: false, by, reason: answer.reason, scope: 'rule' }
    case 'cancelled':
      return { approved: false, by, reason: 'the question was cancelled' }
    case 'closed':
      return { approved: false, by, reason: 'the terminal was closed before anybody answered' }
    case 'interrupted':
      return interrupted
  }
}

async function askOnce(
  question: ApprovalQuestion,
  options: TerminalOptions,
  signal: AbortSignal,
): Promise<Answer> {
  const talked = await talk<Answer>(
    options,
    signal,
    (colours) => showQuestion(question, colours),
    async (askByKey) => {
      const answer = await askByKey({
        ...questionLines(question),
        choices: choicesFor(question),
        enter: 'n',
      })
      if (answer === undefined) return undefined
      const { key, text } = answer
      const agreed = agreements[key]
      if (agreed !== undefined) return { kind: agreed }
      return { kind: key === 'd' ? 'never' : 'no', reason: text || 'refused by the user' }
    },
  )
  return talked.kind === 'said' ? talked.value : talked
}

type ChoiceKey = 'n' | 'y' | 's' | 'r' | 'd' | 'a'

/** The keys that agree, and to how much. */
const agreements: Readonly<Partial<Record<ChoiceKey, 'yes' | 'yes-again' | 'yes-always' | 'yes-to-all'>>> = {
  y: 'yes',
  s: 'yes-again',
  r: 'yes-always',
  a: 'yes-to-all',
}

/** Only commands can be remembered, and a rule is offered only if the gate proposes one. */
export function choicesFor({ action, amendment }: ApprovalQuestion): readonly KeyChoice<ChoiceKey>[] {
  const isCommand = action?.kind === 'command'
  const remembered = amendment === undefined ? 'this command' : `${formatPrefix(amendment.prefix)} …`
  const all: readonly KeyChoice<ChoiceKey>[] = [
    { key: 'y', rank: 1, label: 'once', meaning: 'yes, this once' },
    { key: 's', rank: 2, label: 'same again', meaning: 'yes, and again in this run' },
    { key: 'r', rank: 3, label: 'always', meaning: `yes, and always: ${remembered}` },
    { key: 'a', rank: 3, label: 'all in this run', meaning: 'yes, and everything else in this run' },
    { key: 'n', rank: 1, label: 'no', meaning: 'no', followUp: whyNot },
    { key: 'd', rank: 3, label: 'never', meaning: `no, and never: ${remembered}`, followUp: whyNot },
  ]
  const unavailable = [...(isCommand ? [] : ['s', 'd']), ...(amendment === undefined ? ['r'] : [])]
  return all.filter(({ key }) => !unavailable.includes(key))
}

const whyNot = 'why? (for the agent)'

function formatPrefix(prefix: readonly string[]): string {
  return visibleLine(
    prefix.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
  )
}
