/** Made of the routes of the service by `npm run api-types`; a test holds it to them. */
export interface Shapes {
  readonly ErrorAnswer: {
    readonly error: {
      readonly code:
        | 'invalid-request'
        | 'unauthenticated'
        | 'forbidden'
        | 'foreign-origin'
        | 'not-found'
        | 'conflict'
        | 'damaged-record'
        | 'too-large'
        | 'unsupported-media-type'
        | 'unknown-host'
        | 'refused'
        | 'too-many-requests'
        | 'internal'
        | 'unavailable'
      readonly message: string
    }
  }
  readonly RunItem: {
    readonly runId: string
    readonly task: string
    readonly startedAtMs: number
    readonly updatedAtMs: number
    readonly events: number
    readonly workFolder: string | null
    readonly drive: string | null
    readonly model: string | null
    readonly agent: string | null
    readonly outcome: string | null
    readonly reason: string | null
    readonly cap: string | null
    readonly detector: string | null
    readonly waiting: { readonly for: 'provider' | 'limit'; readonly untilMs: number } | null
    readonly labels: readonly string[]
    readonly imported: boolean
    readonly turns: number
    readonly tokens: number
    readonly costUsd: number | null
    readonly activeMs: number
    readonly failing: readonly number[]
  }
  readonly StartRequest: {
    readonly task: string
    readonly workFolder?: string
    readonly until?: readonly string[]
    readonly presets?: readonly ('tests' | 'lint' | 'typecheck' | 'build')[]
    readonly agent?: string
    readonly model?: string
    readonly labels?: readonly string[]
    readonly maxTurns?: number
    readonly maxModelCalls?: number
    readonly maxToolCalls?: number
    readonly maxTokens?: number
    readonly maxCostUsd?: number
    readonly timeoutMs?: number
    readonly completeWhen?: 'checks' | 'checks-and-claim'
    readonly verifyWhen?: 'every-turn' | 'on-change' | 'on-claim' | 'on-change-or-claim'
    readonly loopDetection?: 'on' | 'shadow' | 'off'
    readonly stagnation?: 'on' | 'shadow' | 'off'
  }
  readonly RunRow: {
    readonly version: 2
    readonly runId: string
    readonly task: string
    readonly startedAtMs: number
    readonly updatedAtMs: number
    readonly model: string | null
    readonly agent: string
    readonly project: string | null
    readonly policy: string
    readonly labels: readonly string[]
    readonly isPart: boolean
    readonly reason:
      | 'task_complete'
      | 'verifier_failed_unrecoverable'
      | 'hard_cap'
      | 'diminishing'
      | 'loop_detected'
      | 'stagnated'
      | 'model_ended'
      | 'blocked'
      | 'awaiting_approval'
      | 'permission_denied'
      | 'user_interrupt'
      | 'error'
      | null
    readonly outcome:
      'verified' | 'failed' | 'exhausted' | 'unverified' | 'blocked' | 'interrupted' | 'error' | null
    readonly cap: string | null
    readonly detector: string | null
    readonly turns: number
    readonly modelCalls: number
    readonly toolCalls: number
    readonly messages: { readonly user: number; readonly assistant: number; readonly tool: number }
    readonly inputTokens: number
    readonly cachedInputTokens: number
    readonly outputTokens: number
    readonly reasoningTokens: number
    readonly costUsd: number | null
    readonly activeMs: number
    readonly checksCostUsd: number
    readonly claims: number
    readonly falseClaims: number
    readonly isFirstTry: boolean | null
    readonly roundsToGreen: number | null
    readonly checks: readonly {
      readonly name: string
      readonly runs: number
      readonly failures: number
      readonly flakes: number
      readonly ms: number
      readonly costUsd: number
    }[]
    readonly findings: readonly { readonly name: string; readonly count: number }[]
    readonly tools: readonly { readonly name: string; readonly count: number }[]
    readonly overrides: number
    readonly waivers: number
    readonly failing: readonly number[]
  }
  readonly Explanation: {
    readonly runId: string
    readonly kind: 'run' | 'verification' | 'session'
    readonly task: string
    readonly by: string
    readonly end: {
      readonly outcome: string
      readonly reason: string
      readonly message: string
      readonly cap?: string
      readonly detector?: string
      readonly exitCode: number
    } | null
    readonly turns: number
    readonly missing: readonly {
      readonly name: string
      readonly status: string
      readonly reason: string
      readonly evidence: readonly string[]
    }[]
    readonly openParts: readonly string[]
    readonly passed: readonly string[]
    readonly spent: {
      readonly durationMs: number
      readonly tokens: number | null
      readonly isEstimated: boolean
      readonly costUsd: number | null
      readonly checksCostUsd: number
      readonly caps: readonly {
        readonly cap: string
        readonly used: number
        readonly limit: number
        readonly words: string
      }[]
    }
    readonly next: readonly { readonly command: string; readonly why: string }[]
  }
  readonly GoalReport: {
    readonly runId: string
    readonly objective: string
    readonly subGoals: readonly {
      readonly id: string
      readonly title: string
      readonly parentId: string | null
      readonly checks: readonly string[]
      readonly after: readonly string[]
      readonly isProposed: boolean
      readonly budget?: {
        readonly turns?: number
        readonly tokens?: number
        readonly costUsd?: number
        readonly activeMs?: number
      }
      readonly status: string
    }[]
    readonly hasStopped: boolean
    readonly [name: string]: unknown
  }
  readonly StoredEvent: {
    readonly type: string
    readonly id: string
    readonly runId: string
    readonly sequence: number
    readonly timeMs: number
    readonly [name: string]: unknown
  }
  readonly Question: {
    readonly id: string
    readonly runId: string
    readonly askedAtMs: number
    readonly subject:
      | {
          readonly kind: 'call'
          readonly callId: string
          readonly tool: string
          readonly effect: string
          readonly summary: string
          readonly reason: string
          readonly details: string
          readonly amendment?: { readonly prefix: readonly string[] }
          readonly scopes: {
            readonly yes: readonly ('once' | 'session' | 'rule')[]
            readonly no: readonly ('once' | 'session' | 'rule')[]
          }
        }
      | { readonly kind: 'done'; readonly check: string; readonly question: string; readonly details: string }
    readonly answer: {
      readonly approved: boolean
      readonly by: string
      readonly reason: string
      readonly scope?: 'once' | 'session' | 'rule'
      readonly answeredAtMs: number
    } | null
    readonly isWithdrawn: boolean
  }
  readonly Insights: {
    readonly total: Shapes['Figures'] | null
    readonly by: {
      readonly model: readonly Shapes['Group'][]
      readonly agent: readonly Shapes['Group'][]
      readonly project: readonly Shapes['Group'][]
      readonly week: readonly Shapes['Group'][]
    }
    readonly activity: {
      readonly byWeekday: readonly number[]
      readonly byHour: readonly number[]
      readonly [name: string]: unknown
    }
    readonly top: {
      readonly activeSeconds: readonly Shapes['TopRun'][]
      readonly messages: readonly Shapes['TopRun'][]
      readonly tokens: readonly Shapes['TopRun'][]
      readonly toolCalls: readonly Shapes['TopRun'][]
    }
  }
  readonly Figures: {
    readonly runs: number
    readonly ended: number
    readonly turns: number
    readonly modelCalls: number
    readonly toolCalls: number
    readonly outcomes: readonly { readonly name: string; readonly count: number }[]
    readonly reasons: readonly { readonly name: string; readonly count: number }[]
    readonly caps: readonly { readonly name: string; readonly count: number }[]
    readonly detectors: readonly { readonly name: string; readonly count: number }[]
    readonly verified: Shapes['Rate']
    readonly firstTry: Shapes['Rate']
    readonly falseDone: Shapes['Rate']
    readonly roundsToGreen: {
      readonly runs: number
      readonly median: number | null
      readonly mean: number | null
    }
    readonly cost: {
      readonly usd: number
      readonly knownRuns: number
      readonly perVerifiedUsd: number | null
    }
    readonly tokens: {
      readonly input: number
      readonly cachedInput: number
      readonly output: number
      readonly reasoning: number
    }
    readonly messages: { readonly user: number; readonly assistant: number; readonly tool: number }
    readonly activeHours: number
    readonly checks: {
      readonly seconds: number
      readonly costUsd: number
      readonly flaky: Shapes['Rate']
      readonly each: readonly {
        readonly name: string
        readonly runs: number
        readonly failures: number
        readonly flakes: number
        readonly seconds: number
      }[]
    }
    readonly findings: readonly {
      readonly name: string
      readonly runs: number
      readonly verified: Shapes['Rate']
      readonly [name: string]: unknown
    }[]
    readonly tools: readonly { readonly name: string; readonly count: number }[]
    readonly [name: string]: unknown
  }
  readonly Rate: {
    readonly part: number
    readonly whole: number
    readonly share: number | null
    readonly interval: { readonly low: number; readonly high: number }
  }
  readonly Group: { readonly name: string; readonly figures: Shapes['Figures'] }
  readonly TopRun: { readonly runId: string; readonly task: string; readonly value: number }
}
