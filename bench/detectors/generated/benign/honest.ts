/** Honest work that looks like a loop to somebody who does not look closely. */
import type { BenignClass, GeneratedRun } from '../generated-run.ts'
import { scriptFrom, type Script } from '../script.ts'
import { workBefore, workOn } from '../world/ordinary-work.ts'

export interface HonestSpec {
  readonly name: string
  readonly about: string
  /** Writes the stretch that must not be taken for a loop. */
  readonly write: (script: Script) => void
}

/** Work before, the stretch, and some work after it: the run went on and was right to. */
export function honestClass({ name, about, write }: HonestSpec): BenignClass {
  const make = (seed: number): GeneratedRun => {
    const script = scriptFrom(`${name} #${seed}`)
    workBefore(script)
    const onset = script.calls
    write(script)
    workOn(script, script.random.between(2, 10))
    return {
      name: `${name} #${seed}`,
      kind: 'benign',
      steps: script.steps,
      unit: 'call',
      onset,
      period: null,
      roundEnds: [],
    }
  }
  return { kind: 'benign', name, about, make }
}

/** Does something so many times. */
export function times(count: number, write: (at: number) => void): void {
  for (let at = 0; at < count; at += 1) write(at)
}
