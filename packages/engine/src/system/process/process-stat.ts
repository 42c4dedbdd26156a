/** What we need of Linux's `/proc/PID/stat`. */
export interface ProcessStat {
  readonly id: number
  /** What it calls itself. */
  readonly name: string
  /** It has ended, and its parent has not asked how: it will never do anything again. */
  readonly ended: boolean
  /** 0: it has none, or none that can be seen from here. */
  readonly parentId: number
  readonly groupId: number
  readonly sessionId: number
  /** It belongs to a terminal, whatever it reads from. */
  readonly hasTerminal: boolean
  /** When it started, in clock ticks since the machine did. With the id it names a process for ever. */
  readonly startTicks: number
}

/**
 * The second field is the program's name in parentheses and may hold spaces, line ends and parentheses itself: the
 * numbers begin after the last closing one. Undefined for a text of another shape.
 */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const nameEnd = text.lastIndexOf(')')
  // The state is field 3, counted from 1, and the start is field 22.
  const [state = '', ...numbers] = text
    .slice(nameEnd + 1)
    .trim()
    .split(/\s+/)
  const [parentId, groupId, sessionId, terminal] = numbers.map(Number)
  const [id, startTicks] = [Number.parseInt(text, 10), Number(numbers[18])]
  if (nameEnd === -1 || !/^[A-Za-z]$/.test(state)) return undefined
  if (parentId === undefined || groupId === undefined || sessionId === undefined) return undefined
  if (![id, parentId, groupId, sessionId, terminal, startTicks].every(Number.isInteger)) return undefined
  const name = text.slice(text.indexOf('(') + 1, nameEnd)
  const ended = ['Z', 'X', 'x'].includes(state)
  return { id, name, ended, parentId, groupId, sessionId, hasTerminal: terminal !== 0, startTicks }
}
