/** A line for a person, with the tone in which it is said. */
import type { Verdict } from '@donecheck/core/verdicts'

export type Tone = 'plain' | 'quiet' | 'good' | 'bad' | 'warning' | 'strong'

export interface Line {
  readonly tone: Tone
  readonly text: string
}

export function line(tone: Tone, text: string): Line {
  return { tone, text }
}

export function toneOf(status: Verdict['status']): Tone {
  if (status === 'passed') return 'good'
  return status === 'failed' ? 'bad' : 'warning'
}
