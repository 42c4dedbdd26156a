/**
 * A goal of Codex has a status that its own model sets, and nothing of it is checked; an active one makes Codex start one
 * turn after the other by itself. So an active goal is paused as soon as it is seen, and a complete one is taken back to
 * paused at the end of the turn: whether it is reached is for the checks to say, and who continues is our loop.
 */
import { payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'

export class GoalWatch {
  #status: string | undefined
  #isClaimed = false

  /** Of a notification, or of the answer to a question. @returns whether it must be paused now */
  see(goal: Payload | undefined): boolean {
    const status = textIn(goal, 'status')
    const isNew = status !== this.#status
    this.#status = status
    // Our own pause of an active goal may come after the model has called it complete.
    if (status !== 'paused') this.#isClaimed = status === 'complete'
    return isNew && status === 'active'
  }

  /** The model, or somebody else, calls it complete. */
  get isClaimed(): boolean {
    return this.#isClaimed
  }
}

export function goalIn(reported: Payload): Payload | undefined {
  return payloadOf(reported['goal'])
}

/** For the model, with the next prompt. */
export const claimTakenBack =
  'Your goal stands as paused: that you called it complete does not make it so. It is complete when the checks pass.'
