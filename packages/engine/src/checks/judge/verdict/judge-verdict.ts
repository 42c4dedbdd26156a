import type { JudgeQuote } from '@donecheck/core/verdicts'

export type JudgeVerdict =
  | {
      readonly kind: 'met' | 'not-met' | 'abstained'
      readonly reason: string
      readonly category?: string
      readonly score?: number
      readonly quotes: readonly JudgeQuote[]
    }
  /** Nothing can be made of it: neither a pass nor a failure. */
  | { readonly kind: 'malformed'; readonly reason: string }

export function malformedVerdict(reason: string): JudgeVerdict {
  return { kind: 'malformed', reason }
}
