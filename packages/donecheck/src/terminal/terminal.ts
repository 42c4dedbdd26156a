import type { Approval, ApprovalQuestion, Approver } from '@donecheck/engine/ports/gate'
import { interrupted, visibleLine } from '@donecheck/engine/approvals'
import { showQuestion } from './show-question.ts'
import { talk, type TerminalOptions, terminalKeys } from './terminal-talk.ts'
import { assertKnownKeys, messageOf } from '@donecheck/engine/base'

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
    if (acceptsTheRest) return { approved: true, by: 'terminal', reason: 'yes for the rest of this run' }
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
  return { approved: false, by: 'terminal', reason: `nobody could be asked: ${messageOf(error)}` }
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
  const by = 'terminal'
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
    async (prompts, commons) => {
      const choice = await prompts.selectKey({
        ...commons,
        message: 'Allow it?',
        options: choicesFor(question),
      })
      if (prompts.isCancel(choice)) return choice
      const agreed = agreements[choice]
      if (agreed !== undefined) return { kind: agreed }
      const reason = await prompts.text({ ...commons, ...whyNot })
      if (prompts.isCancel(reason)) return reason
      return { kind: choice === 'd' ? 'never' : 'no', reason: reason.trim() || whyNot.defaultValue }
    },
  )
  return talked.kind === 'said' ? talked.value : talked
}

const whyNot = { message: 'Why not? The agent is told.', defaultValue: 'refused by the user' }

type ChoiceKey = 'n' | 'y' | 's' | 'r' | 'd' | 'a'

interface Choice {
  readonly value: ChoiceKey
  readonly label: string
}

/** The keys that agree, and to how much. */
const agreements: Readonly<Partial<Record<ChoiceKey, 'yes' | 'yes-again' | 'yes-always' | 'yes-to-all'>>> = {
  y: 'yes',
  s: 'yes-again',
  r: 'yes-always',
  a: 'yes-to-all',
}

/**
 * The first one is what Enter alone means: a key pressed too early approves nothing. Only commands can be remembered, and a
 * rule is offered only where the gate proposes one.
 */
export function choicesFor({ action, amendment }: ApprovalQuestion): Choice[] {
  const isCommand = action?.kind === 'command'
  return [
    { value: 'n', label: 'no' },
    { value: 'y', label: 'yes, this once' },
    ...(isCommand ? [{ value: 's' as const, label: 'yes, and this command again in this run' }] : []),
    ...(amendment === undefined
      ? []
      : [
          {
            value: 'r' as const,
            label: `yes, and always what begins with: ${formatPrefix(amendment.prefix)}`,
          },
        ]),
    ...(isCommand ? [{ value: 'd' as const, label: `no, and never ${refusedFor(amendment)}` }] : []),
    { value: 'a', label: 'yes, and everything else in this run' },
  ]
}

/** The rule that is kept is that of the yes, or these very words. */
function refusedFor(amendment: ApprovalQuestion['amendment']): string {
  return amendment === undefined ? 'this command' : `what begins with: ${formatPrefix(amendment.prefix)}`
}

function formatPrefix(prefix: readonly string[]): string {
  return visibleLine(
    prefix.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
  )
}
