import type { PlanEntry } from '../../events/index.ts'

/** The latest plan of an agent, told of where it is another one: some agents send it with every step. */
export class ToldPlan {
  #latest: readonly PlanEntry[] | undefined
  #told = ''

  hear(plan: readonly PlanEntry[]): void {
    this.#latest = plan
  }

  /** Undefined: there is none, or it was taken as it is. */
  take(): readonly PlanEntry[] | undefined {
    const plan = this.#latest
    this.#latest = undefined
    if (plan === undefined) return undefined
    const written = JSON.stringify(plan)
    if (written === this.#told) return undefined
    this.#told = written
    return plan
  }
}
