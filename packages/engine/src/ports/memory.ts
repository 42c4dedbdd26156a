export interface RecallRequest {
  readonly runId: string
  readonly task: string
  /** Names of the required checks: runs that have them in common are of one kind. */
  readonly checks: readonly string[]
  /** Undefined: the run begins. */
  readonly failure: { readonly shape: string; readonly words: string } | undefined
}

export interface RecalledFact {
  readonly id: string
  /** One line. */
  readonly text: string
}

/** Access to what earlier runs left behind. */
export interface Memory {
  /** What may help, the best first; nothing where there is nothing, and where it cannot be read: it never rejects. */
  recall(request: RecallRequest): Promise<readonly RecalledFact[]>
}
