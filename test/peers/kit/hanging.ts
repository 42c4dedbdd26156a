/** Replies that never come: the agent hangs in the middle of its turn until somebody breaks it off. */
import type { ScriptedStep, Step } from './step.ts'

const never: Step = { text: 'never said', after: new Promise(() => undefined) }

export interface Hanging {
  readonly step: ScriptedStep
  /** Resolves when an agent waits for it. */
  readonly isAsked: Promise<undefined>
}

export function hanging(): Hanging {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const step = () => {
    resolve(undefined)
    return never
  }
  return { step, isAsked: promise }
}

/** So many replies, and none after them: only what is broken off in flight comes to an end. */
export function onlyReplies(count: number, step: ScriptedStep): ScriptedStep {
  return (request) => {
    if (request.turn >= count) return never
    return typeof step === 'function' ? step(request) : step
  }
}
