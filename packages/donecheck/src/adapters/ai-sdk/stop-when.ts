/** Stop conditions for the SDK's own loop that keep their reason: caps, detectors and a token budget over its steps. */
import type { StopTransition } from '../../events/index.ts'
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'
import { createRide, type Ride, type RideOptions } from '../../ride/index.ts'
import { namedConditions, type AnyStopCondition, type AskedSteps, type NamedCondition } from './conditions.ts'
import type { StepLike } from './step.ts'
import { eventsOfStep } from './translate.ts'

export interface StopWhenOptions extends Pick<
  RideOptions,
  'hardCap' | 'softVerifiers' | 'prices' | 'store' | 'clock' | 'ids' | 'secrets'
> {
  /** Conditions of the SDK's kind, such as `isStepCount(20)`, by name where the name should be told. */
  readonly conditions?:
    AnyStopCondition | readonly AnyStopCondition[] | Readonly<Record<string, AnyStopCondition>>
}

const stopWhenKeys: OptionKeys<StopWhenOptions> = {
  hardCap: true,
  softVerifiers: true,
  prices: true,
  store: true,
  clock: true,
  ids: true,
  secrets: true,
  conditions: true,
}

/** Why a loop was stopped. */
export type StoppedBy =
  | { readonly kind: 'rule'; readonly transition: StopTransition }
  | { readonly kind: 'condition'; readonly name: string }

/** Goes into `stopWhen` as it is. */
export interface StopWhen {
  (asked: AskedSteps): Promise<boolean>
  /** Of the generation that was stopped last. Undefined: none was. */
  readonly reason: StoppedBy | undefined
  /** Of the generation that has these steps. Undefined: it ended by itself. */
  reasonOf(ended: { readonly steps: readonly object[] }): StoppedBy | undefined
}

/**
 * One condition for any number of generations, one after the other or at the same time. It looks at what has happened and asks
 * no check: see `verifiedAgent`.
 * @throws {UsageError} for caps and budgets that make no sense
 */
export function stopWhen(options: StopWhenOptions = {}): StopWhen {
  assertKnownKeys(options, stopWhenKeys, 'stopWhen')
  const { conditions, ...caps } = options
  const own = namedConditions(conditions)
  const generations = new WeakMap<object, Followed>()
  let latest: StoppedBy | undefined
  const condition = async ({ steps }: AskedSteps): Promise<boolean> => {
    const first = steps[0]
    if (first === undefined) return false
    const followed = generations.get(first) ?? new Followed(caps, own)
    generations.set(first, followed)
    const reason = await followed.asked(steps)
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

/** One generation: the same first step object stands in every question of it. */
class Followed {
  readonly #caps: Omit<StopWhenOptions, 'conditions'>
  readonly #conditions: readonly NamedCondition[]
  #ride: Promise<Ride> | undefined
  #told = 0
  #reason: StoppedBy | undefined

  constructor(caps: Omit<StopWhenOptions, 'conditions'>, conditions: readonly NamedCondition[]) {
    this.#caps = caps
    this.#conditions = conditions
  }

  get reason(): StoppedBy | undefined {
    return this.#reason
  }

  async asked(steps: readonly StepLike[]): Promise<StoppedBy | undefined> {
    this.#ride ??= begun(this.#caps)
    const ride = await this.#ride
    const news = steps.slice(this.#told)
    this.#told = steps.length
    for (const step of news) for (const event of eventsOfStep(step, {}, new Set())) await ride.observe(event)
    if (ride.end !== undefined) this.#reason = { kind: 'rule', transition: ride.end }
    for (const condition of this.#conditions)
      if (this.#reason === undefined && (await condition.isMet({ steps })))
        this.#reason = { kind: 'condition', name: condition.name }
    return this.#reason
  }
}

async function begun(caps: Omit<StopWhenOptions, 'conditions'>): Promise<Ride> {
  const ride = await createRide({ ...caps, agent: 'ai-sdk', reportsUsage: true, workFolder: null })
  await ride.observe({ kind: 'prompted', prompt: 'a generation of the AI SDK' })
  return ride
}
