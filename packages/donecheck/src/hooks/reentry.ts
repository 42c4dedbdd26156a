/** Hooks that cause hooks: bounded, so that no hook can keep the loop busy with itself. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RegisteredHook } from './registered-hook.ts'

/** Hooks that may be at work inside of each other. */
const deepest = 3

interface Work {
  readonly hook: RegisteredHook
  readonly outer: Work | undefined
  /** What it has left behind may cause hooks as it likes. */
  isOver: boolean
}

/** For all pipelines of the process: a hook may start a loop of its own, which has hooks. */
const atWork = new AsyncLocalStorage<Work>()

/** Why the hook cannot be run here; undefined: it can. */
export function reentryProblem(hook: RegisteredHook): string | undefined {
  const outer = hooksAtWork()
  if (outer.includes(hook)) return 'it has caused itself to be run again'
  if (outer.length < deepest) return undefined
  return `it was caused by hooks inside of each other: ${outer.map(({ name }) => name).join(', ')}`
}

/** Innermost first. */
function hooksAtWork(): readonly RegisteredHook[] {
  const hooks: RegisteredHook[] = []
  for (let work = atWork.getStore(); work !== undefined; work = work.outer)
    if (!work.isOver) hooks.push(work.hook)
  return hooks
}

/** Whatever is caused by the work is known to be caused by the hook. */
export async function enter<Value>(hook: RegisteredHook, work: () => Promise<Value>): Promise<Value> {
  const entry: Work = { hook, outer: atWork.getStore(), isOver: false }
  try {
    return await atWork.run(entry, work)
  } finally {
    entry.isOver = true
  }
}
