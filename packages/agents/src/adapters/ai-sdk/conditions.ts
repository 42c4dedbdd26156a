import type { StopCondition, ToolSet } from 'ai'
import { type StepLike, endedCallsOf, usageOf } from './translate.ts'
import { assertKnownKeys, optionKeys } from '@donecheck/engine/internal/base'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import { createAgentSession, SdkSession, type AgentSessionOptions } from '../../session/index.ts'

export type AnyStopCondition = StopCondition<ToolSet>

export interface RequestedSteps {
  readonly steps: readonly StepLike[]
}

interface NamedCondition {
  readonly name: string
  isMet(asked: RequestedSteps): Promise<boolean>
}

/** Conditions in a list are named after their functions, those in an object after their keys. */
export function namedConditions(given: unknown): readonly NamedCondition[] {
  if (typeof given === 'function') return namedConditions([given])
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).flatMap(([key, condition]: [string, unknown]) => {
    if (typeof condition !== 'function') return []
    const own = condition.name === '' ? `stop condition ${Number(key) + 1}` : condition.name
    const isMet = async (asked: RequestedSteps) => Boolean(await Reflect.apply(condition, undefined, [asked]))
    return [{ name: Array.isArray(given) ? own : key, isMet }]
  })
}

export interface StopWhenOptions extends Pick<
  AgentSessionOptions,
  'hardCap' | 'softVerifiers' | 'prices' | 'store' | 'clock' | 'ids' | 'secrets'
> {
  /** The SDK's own conditions, such as `isStepCount(20)`; an object also names them. */
  readonly conditions?:
    AnyStopCondition | readonly AnyStopCondition[] | Readonly<Record<string, AnyStopCondition>>
}

const stopWhenKeys = optionKeys<StopWhenOptions>()(
  'hardCap softVerifiers prices store clock ids secrets conditions',
)

export type StoppedBy =
  | { readonly kind: 'rule'; readonly transition: StopTransition }
  | { readonly kind: 'condition'; readonly name: string }

export interface StopWhen {
  (asked: RequestedSteps): Promise<boolean>
  readonly reason: StoppedBy | undefined
  /** Why the generation stopped; undefined if it ended by itself. */
  reasonOf(ended: { readonly steps: readonly object[] }): StoppedBy | undefined
}

/** Can be shared by several generations. Runs no checks: see `verifiedAgent`. @throws {UsageError} */
export function stopWhen(options: StopWhenOptions = {}): StopWhen {
  assertKnownKeys(options, stopWhenKeys, 'stopWhen')
  const { conditions, ...caps } = options
  const own = namedConditions(conditions)
  const generations = new WeakMap<object, Followed>()
  let latest: StoppedBy | undefined
  const condition = async ({ steps }: RequestedSteps): Promise<boolean> => {
    const first = steps[0]
    if (first === undefined) return false
    const followed = generations.get(first) ?? new Followed(caps, own)
    generations.set(first, followed)
    const reason = await followed.stopReasonAfter(steps)
    latest = reason ?? latest
    return reason !== undefined
  }
  return Object.defineProperties(
    Object.assign(condition, {
      reason: undefined,
      reasonOf: (ended: { readonly steps: readonly object[] }) => {
        const [first] = ended.steps
        return first === undefined ? undefined : generations.get(first)?.reason
      },
    }),
    { reason: { get: () => latest, enumerable: true } },
  )
}

class Followed {
  readonly #caps: Omit<StopWhenOptions, 'conditions'>
  readonly #conditions: readonly NamedCondition[]
  #session: Promise<SdkSession> | undefined
  #told = 0
  #reason: StoppedBy | undefined

  constructor(caps: Omit<StopWhenOptions, 'conditions'>, conditions: readonly NamedCondition[]) {
    this.#caps = caps
    this.#conditions = conditions
  }

  get reason(): StoppedBy | undefined {
    return this.#reason
  }

  async stopReasonAfter(steps: readonly StepLike[]): Promise<StoppedBy | undefined> {
    this.#session ??= beginSession(this.#caps)
    const session = await this.#session
    const news = steps.slice(this.#told)
    this.#told = steps.length
    for (const step of news)
      await session.recordStep({ text: step.text, usage: usageOf(step.usage) }, endedCallsOf(step, {}))
    const { end } = session.agentSession
    if (end !== undefined) this.#reason = { kind: 'rule', transition: end }
    for (const condition of this.#conditions)
      if (this.#reason === undefined && (await condition.isMet({ steps })))
        this.#reason = { kind: 'condition', name: condition.name }
    return this.#reason
  }
}

async function beginSession(caps: Omit<StopWhenOptions, 'conditions'>): Promise<SdkSession> {
  const agentSession = await createAgentSession({
    ...caps,
    agent: 'ai-sdk',
    reportsUsage: true,
    workFolder: null,
  })
  const session = new SdkSession({ agentSession })
  await session.recordPrompt('a generation of the AI SDK')
  return session
}
