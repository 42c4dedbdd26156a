/** What earlier runs left behind, told to the drive of this one. */

export const recallOccasions = ['start', 'failure'] as const

export interface MemoryRecalled {
  readonly type: 'memory-recalled'
  /** `failure`: checks failed in a way that was seen before, or sounds like it. */
  readonly occasion: (typeof recallOccasions)[number]
  readonly facts: readonly { readonly id: string; readonly text: string }[]
  /** What the drive reads before its next reply: the facts as data, fenced. */
  readonly text: string
}
