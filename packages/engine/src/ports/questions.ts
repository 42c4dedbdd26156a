import type { AmendmentScope } from '@donecheck/core/internal/events/gate'
import type { EpochMs, ToolEffect } from '@donecheck/core/internal/events'
import type { Amendment, Approval } from './gate.ts'

/** What is asked, as it is shown to whoever answers. A model may have written any text of it. */
export type QuestionSubject =
  | {
      readonly kind: 'call'
      readonly callId: string
      readonly tool: string
      readonly effect: ToolEffect
      /** What would be done, in one line. */
      readonly summary: string
      /** Why it is asked. */
      readonly reason: string
      /** What would change, or the arguments. Empty if the summary says it all. */
      readonly details: string
      /** The proposed rule, if one may be kept. */
      readonly amendment?: Amendment
      /** How long a yes and a no may hold. */
      readonly scopes: { readonly yes: readonly AmendmentScope[]; readonly no: readonly AmendmentScope[] }
    }
  | {
      readonly kind: 'done'
      readonly check: string
      readonly question: string
      readonly details: string
    }

/** What a question of the tamper guard has in the place of a call: it outlives its run, which goes on with the answer. */
export const guardCallId = 'tamper-guard'

export interface AskedQuestion {
  /** The same for the same question of a run, also when the run asks it again. */
  readonly id: string
  readonly runId: string
  readonly askedAtMs: EpochMs
  readonly subject: QuestionSubject
}

export interface KeptAnswer extends Approval {
  readonly answeredAtMs: EpochMs
}

export interface KeptQuestion extends AskedQuestion {
  readonly answer: KeptAnswer | null
  /** Its run no longer waits for an answer. */
  readonly isWithdrawn: boolean
}

export type AnswerResult =
  /** It is the first answer, or the first one given once more. */
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  /** Somebody was first, with another answer. */
  | { readonly kind: 'taken'; readonly answer: KeptAnswer }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'unknown' }

export interface Questions {
  /** Asked for the first time, or again: it is open from now on, unless it has an answer. That of the first time is kept. */
  keepQuestion(question: AskedQuestion): Promise<KeptQuestion>
  question(id: string): Promise<KeptQuestion | undefined>
  /** Questions that are waiting for an answer, oldest first. */
  openQuestions(): Promise<readonly KeptQuestion[]>
  /** The first answer holds. Rejects with `UsageError` for a scope that the question does not offer. */
  answerQuestion(id: string, answer: KeptAnswer): Promise<AnswerResult>
  /** Nothing happens to one that is answered or unknown. */
  withdrawQuestion(id: string): Promise<void>
}
