/** What we need of Linux's `/proc/PID/stat`. */
export interface ProcessStat {
  /** When it started, in clock ticks since the machine did. */
  readonly startTicks: string
  /** It has ended, and its parent has not asked how: it will never do anything again. */
  readonly ended: boolean
  /** 0: it has none, or none that can be seen from here. */
  readonly parentId: number
  /** It belongs to a terminal, whatever it reads from. */
  readonly hasTerminal: boolean
}

/**
 * The second field is the program's name in parentheses and may hold spaces, line ends and parentheses itself: the
 * numbers begin after the last closing one. Undefined for a text of another shape.
 */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const nameEnd = text.lastIndexOf(')')
  if (nameEnd === -1) return undefined
  // The state is field 3, the parent 4, the terminal 7 and the start 22, counted from 1.
  const fields = text
    .slice(nameEnd + 1)
    .trim()
    .split(/\s+/)
  const [state, parent, , , terminal] = fields
  const startTicks = fields[19]
  if (state === undefined || startTicks === undefined || !/^\d+$/.test(startTicks)) return undefined
  return {
    startTicks,
    ended: state === 'Z' || state === 'X',
    parentId: Number(parent),
    hasTerminal: terminal !== '0',
  }
}
