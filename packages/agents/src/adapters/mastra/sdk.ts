/** As much of Mastra as is used, so that it need not be installed. Its own classes fit as they are. */

export interface AgentLike {
  generate(input: never, options?: never): Promise<object>
  resumeGenerate?(resumeData: never, options: never): Promise<object>
  getDefaultOptions?(asked?: never): unknown
  listConfiguredOutputProcessors?(requestContext?: never): unknown
  getConfiguredToolHooks?(): unknown
}

/** What Mastra asks a scorer of `isTaskComplete` with. */
export interface ScorerInput {
  /** The text of the agent's last reply. */
  readonly output?: unknown
  readonly input?: unknown
  readonly runId?: string
}

export interface ScorerAnswer {
  /** 1 is complete. */
  readonly score: number
  readonly reason?: string
}

/** Any scorer of Mastra, just as it is. */
export interface ScorerLike {
  readonly id: string
  readonly name?: string
  run(asked: never): Promise<object>
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Of one function or of a list of them. What is none is left out. */
export type Callable = (...given: readonly unknown[]) => unknown

export function callablesOf(given: unknown): readonly Callable[] {
  const each: readonly unknown[] = Array.isArray(given) ? given : [given]
  return each.filter(isCallable)
}

export function isCallable(value: unknown): value is Callable {
  return typeof value === 'function'
}
