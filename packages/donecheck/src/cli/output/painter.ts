import pc from 'picocolors'
import type { Line, Tone } from '@donecheck/engine/report'

/** The tone of a line as a colour, where colour is welcome. */
export function painter(isColoured: boolean): (line: Line) => string {
  const colours = pc.createColors(isColoured)
  const tones: Readonly<Record<Tone, (text: string) => string>> = {
    plain: (text) => text,
    quiet: colours.dim,
    good: colours.green,
    bad: colours.red,
    warning: colours.yellow,
    strong: colours.bold,
  }
  return ({ tone, text }) => tones[tone](text)
}
