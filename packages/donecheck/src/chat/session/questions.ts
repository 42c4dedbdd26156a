import { UsageError } from '@donecheck/engine/internal/base'
import { interrupted } from '@donecheck/engine/internal/policy/approvals'
import type { Approval, ApprovalQuestion, Approver } from '@donecheck/engine/internal/ports/gate'
import type { Answer } from '../commands.ts'

interface Waiting {
  readonly question: ApprovalQuestion
  readonly settle: (approval: Approval) => void
}

interface QuestionEvents {
  readonly asked: (question: ApprovalQuestion) => void
  readonly settled: (question: ApprovalQuestion) => void
}

const by = 'terminal'

export class Questions implements Approver {
  readonly #events: QuestionEvents
  #waiting: Waiting[] = []
  #acceptsChanges = false

  constructor(events: QuestionEvents) {
    this.#events = events
  }

  get first(): ApprovalQuestion | undefined {
    return this.#waiting[0]?.question
  }

  get summaries(): readonly string[] {
    return this.#waiting.map(({ question }) => question.summary)
  }

  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<Approval> {
    if (signal.aborted) return Promise.resolve(interrupted)
    if (this.#acceptsChanges && question.action?.kind === 'change')
      return Promise.resolve({ approved: true, by, reason: 'yes to all changes of files in this session' })
    const { promise, resolve } = Promise.withResolvers<Approval>()
    const waiting = { question, settle: resolve }
    const onAbort = () => this.#settle(waiting, interrupted)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiting.push(waiting)
    this.#events.asked(question)
    return promise.finally(() => signal.removeEventListener('abort', onAbort))
  }

  /** @throws {UsageError} if nothing waits, or the question does not allow this answer */
  answer(answer: Answer): void {
    const [waiting] = this.#waiting
    if (waiting === undefined) throw new UsageError('nothing waits for an answer')
    const approval = this.#approvalOf(answer, waiting.question)
    this.#settle(waiting, approval)
  }

  #approvalOf({ kind, words }: Answer, { action, amendment }: ApprovalQuestion): Approval {
    const reason = words === '' ? 'refused by the user' : words
    const isCommand = action?.kind === 'command'
    switch (kind) {
      case 'yes':
        return { approved: true, by, reason: 'yes' }
      case 'session':
        if (action === undefined) throw new UsageError('this can be allowed only once: answer yes or no')
        this.#acceptsChanges ||= !isCommand
        return {
          approved: true,
          by,
          reason: 'yes, and again in this session',
          ...(isCommand ? { scope: 'session' } : {}),
        }
      case 'always':
        if (amendment === undefined)
          throw new UsageError('no rule is proposed for this: answer yes, session or no')
        return { approved: true, by, reason: 'yes, and from now on by a rule', scope: 'rule' }
      case 'no':
        return { approved: false, by, reason }
      case 'never':
        return { approved: false, by, reason, ...(isCommand ? { scope: 'rule' } : {}) }
      case 'edit':
        if (words === '') throw new UsageError('the edited command is empty; answer no to run nothing')
        return { approved: false, by, reason: `not as proposed; run this instead: ${words}` }
    }
  }

  #settle(waiting: Waiting, approval: Approval): void {
    if (!this.#waiting.includes(waiting)) return
    this.#waiting = this.#waiting.filter((one) => one !== waiting)
    this.#events.settled(waiting.question)
    waiting.settle(approval)
  }
}
