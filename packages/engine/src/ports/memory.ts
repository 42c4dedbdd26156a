export interface RecallRequest {
  readonly runId: string
  readonly task: string
  /** Names of required checks: runs that share some are similar. */
  readonly checks: readonly string[]
  /** Undefined at the start of a run. */
  readonly failure: { readonly shape: string; readonly words: string } | undefined
}

export interface RecalledFact {
  readonly id: string
  readonly text: string
}

export interface Memory {
  /** Helpful facts, best first. Never rejects; unreadable memory gives none. */
  recall(request: RecallRequest): Promise<readonly RecalledFact[]>
}
