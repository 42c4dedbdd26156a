import type { Detector } from '../detector.ts'
import { orderedCallKey } from './outcome.ts'

/**
 * opencode 1.18, `doom_loop`: the last three parts of the current assistant message are calls of the same tool with the
 * same arguments, compared as unsorted JSON. It asks for permission; a run without a person refuses. The three parts are
 * taken before calls are picked out of them, but the recorded text of a turn stands before its calls, so it can never stand
 * between them.
 */
export const opencode: Detector = {
  name: 'opencode',
  readsResults: false,
  begin() {
    let turn = -1
    let parts: string[] = []
    return {
      observe(step) {
        if (step.kind !== 'call') return undefined
        if (step.turn !== turn) parts = []
        turn = step.turn
        parts = [...parts, orderedCallKey(step)].slice(-3)
        const isLoop = parts.length === 3 && parts.every((part) => part === parts[0])
        return isLoop ? { level: 'refuse', rule: 'doom_loop', before: true } : undefined
      },
    }
  },
}
