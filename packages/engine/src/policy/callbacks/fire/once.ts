import type { RegisteredHook } from '../register/registration.ts'

/** Runs that are remembered per hook; in older ones a hook would be run again. */
const maxRuns = 1_000

/** Which hooks have had their one occasion in which run. */
export interface Onces {
  /** False: it has had it. True: it is taken now. */
  take(hook: RegisteredHook, runId: string): boolean
  /** It failed: the next occasion is its first. */
  giveBack(hook: RegisteredHook, runId: string): void
}

export function onceForEachRun(): Onces {
  const runs = new Map<RegisteredHook, Set<string>>()
  return {
    take(hook, runId) {
      if (!hook.once) return true
      const taken = runs.get(hook) ?? new Set()
      runs.set(hook, taken)
      if (taken.has(runId)) return false
      const [oldest] = taken
      if (oldest !== undefined && taken.size >= maxRuns) taken.delete(oldest)
      taken.add(runId)
      return true
    },
    giveBack(hook, runId) {
      runs.get(hook)?.delete(runId)
    },
  }
}
