import type { AmendmentScope } from '@donecheck/core/internal/events/gate'
import type { EpochMs, ToolEffect } from '@donecheck/core/internal/events'
import type { Amendment, Approval } from './gate.ts'

/** Subject of a question. Any text may come from a model. */
export type QuestionSubject =
  | {
      readonly kind: 'call'
      readonly callId: string
      readonly tool: string
      readonly effect: ToolEffect
      readonly summary: string
      readonly reason: string
      /** Changes or arguments. Empty if the summary is enough. */
      readonly details: string
      readonly amendment?: Amendment
      /** Scopes offered for a yes and a no. */
      readonly scopes: { readonly yes: readonly AmendmentScope[]; readonly no: readonly AmendmentScope[] }
    }
  | {
      readonly kind: 'done'
      readonly check: string
      readonly question: string
      readonly details: string
    }

/** Call id of the tamper guard's questions, which outlive their run. */
export const guardCallId = 'tamper-guard'

export interface AskedQuestion {
  /** Stable if a run asks the same question again. */
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
  /** Its run no longer waits. */
  readonly isWithdrawn: boolean
}

export type AnswerResult =
  /** First answer, or the same again. */
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  /** Another answer came first. */
  | { readonly kind: 'taken'; readonly answer: KeptAnswer }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'unknown' }

export interface Questions {
  /** Stores a question, open unless answered. Keeps the first asking time. */
  keepQuestion(question: AskedQuestion): Promise<KeptQuestion>
  question(id: string): Promise<KeptQuestion | undefined>
  /** Unanswered questions, oldest first. */
  openQuestions(): Promise<readonly KeptQuestion[]>
  /** The first answer wins. Rejects with `UsageError` for a scope that is not offered. */
  answerQuestion(id: string, answer: KeptAnswer): Promise<AnswerResult>
  /** No effect on answered or unknown ones. */
  withdrawQuestion(id: string): Promise<void>
}
