/** What a fake model server is told to say, in one form for every protocol. */

/** One call of a tool. Text instead of an object: the input of a tool of free form, such as Codex's `apply_patch`. */
export interface Call {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>> | string
}

/** Tokens that the server claims for one reply. */
export interface Usage {
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
}

export interface Timed {
  /** The answer is held back until then. Never settled: the request hangs until the agent gives up or is killed. */
  readonly after?: Promise<unknown>
}

export interface Reply extends Timed {
  readonly text?: string
  readonly calls?: readonly Call[]
  readonly usage?: Partial<Usage>
}

export interface Failure extends Timed {
  /** An HTTP status such as 500. */
  readonly status: number
  readonly message?: string
  /** Instead of the protocol's usual body. */
  readonly body?: unknown
  /** Besides the content type. */
  readonly headers?: Readonly<Record<string, string>>
}

/** `{ text }`, `{ tool, args }`, `{ calls: [{ tool, args }, …] }` or `{ status }`. */
export type Step = Reply | (Call & Timed & Pick<Reply, 'text' | 'usage'>) | Failure

/** A request as far as a test needs it. */
export interface ModelRequest {
  /** From 0, over all requests of the server. */
  readonly index: number
  /** From 0, among those that are played the same list. */
  readonly turn: number
  readonly protocol: Protocol
  /** It offers no tools: a judge, a title, a summary. */
  readonly isSide: boolean
  /** The names of the tools on offer. */
  readonly tools: readonly string[]
  /** What came since the model's last reply: the user's text and the results of tools, joined by newlines. */
  readonly told: string
  /** Parsed, and just as the agent sent it. */
  readonly body: Readonly<Record<string, unknown>>
}

export type Protocol = 'anthropic' | 'responses' | 'chat' | 'gemini'

export type ScriptedStep = Step | ((request: ModelRequest) => Step)

export interface Script {
  /** In order; the last one is repeated. */
  readonly steps: readonly ScriptedStep[]
  /** For requests without tools. Absent: they are played `steps` like all others. */
  readonly sideSteps?: readonly ScriptedStep[]
  /** For replies that name none: 1000 in, nothing cached, 50 out. */
  readonly usage?: Partial<Usage>
}

/** A reply with nothing left open. */
export interface Spoken {
  readonly id: string
  readonly text: string
  readonly calls: readonly (Call & { readonly callId: string })[]
  readonly usage: Usage
  readonly model: string
}

const usualUsage: Usage = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 50 }

export function isFailure(step: Step): step is Failure {
  return 'status' in step
}

/** @param place unlike that of every other reply */
export function spokenOf(
  step: Exclude<Step, Failure>,
  place: { readonly index: number; readonly model: string; readonly usage?: Partial<Usage> | undefined },
): Spoken {
  const calls = 'tool' in step ? [{ tool: step.tool, args: step.args }] : (step.calls ?? [])
  return {
    id: `reply_${place.index}`,
    text: step.text ?? '',
    calls: calls.map((call, position) => ({ ...call, callId: `call_${place.index}_${position}` })),
    usage: { ...usualUsage, ...place.usage, ...step.usage },
    model: place.model,
  }
}

/** The arguments as the text that travels in protocols which have no objects there. */
export function argumentText({ args }: Call): string {
  return typeof args === 'string' ? args : JSON.stringify(args)
}
