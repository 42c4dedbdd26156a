/** A line for a person, with the tone in which it is said. */
export type Tone = 'plain' | 'quiet' | 'good' | 'bad' | 'warning' | 'strong'

export interface Line {
  readonly tone: Tone
  readonly text: string
}
