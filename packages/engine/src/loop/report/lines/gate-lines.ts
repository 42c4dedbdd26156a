/** What a person reads of the gate and the hooks while a run goes on; all else of them is in the trace. */
import type { FactOf, SandboxDescription } from '@donecheck/core/events'
import { line, type Line } from './line.ts'
import { oneLine } from '@donecheck/core/base'

/** A refusal is told by its own event; here only what a policy that is merely watched would have done. */
export function gateLines({ shadow, reason }: FactOf<'gate-decided'>): readonly Line[] {
  if (shadow === undefined || shadow === 'allow') return []
  return [line('warning', `    would ${shadow}: ${oneLine(reason, 200)}`)]
}

/** Hooks that did what they should are in the trace. */
export function hookLines({ hook, point, effect, note }: FactOf<'hook-ran'>): readonly Line[] {
  if (effect !== 'failed' && effect !== 'timed-out') return []
  const why = note === undefined ? '' : `: ${oneLine(note, 200)}`
  return [line('warning', `  ! hook ${oneLine(hook, 60)} (${point}) ${effect}${why}`)]
}

/** What confines the commands of the tools; loud where nothing does. */
export function sandboxLines(sandbox: SandboxDescription | undefined): readonly Line[] {
  if (sandbox === undefined) return []
  const text = oneLine(sandbox.summary, 300)
  return [sandbox.isConfined ? line('quiet', `sandbox: ${text}`) : line('warning', `! sandbox: ${text}`)]
}
