/** A run of LangChain, told to a ride as it goes on. */
import type { HostCall, ToolActs } from '../../agents/index.ts'
import type { Ride } from '../../ride/index.ts'
import { ToldRide } from '../../told-ride.ts'
import { replyOf } from './translate.ts'

export interface ToldRunOptions {
  readonly ride: Ride
  readonly acts: ToolActs
}

export class ToldRun extends ToldRide {
  readonly acts: ToolActs
  readonly #waiting = new Map<string, string>()

  constructor({ ride, acts }: ToldRunOptions) {
    super(ride)
    this.acts = acts
  }

  /** Names of the tools whose calls wait for a person. */
  get waitingFor(): readonly string[] {
    return [...this.#waiting.values()]
  }

  /** A reply of the model, before its calls run. */
  async replied(message: unknown, signal?: AbortSignal): Promise<void> {
    await this.heard(replyOf(message, this.acts), signal)
  }

  waits({ callId, tool }: HostCall): void {
    this.#waiting.set(callId, tool)
  }

  answered({ callId }: HostCall): void {
    this.#waiting.delete(callId)
  }
}
