/** What `ps` and `lsof` print of processes, where there is no `/proc`. Pure. */

export interface Ancestor {
  readonly processId: number
  /** Its program and its words, as it was started or as it calls itself since. */
  readonly words: readonly string[]
  /** It belongs to a terminal, whatever it reads from. */
  readonly hasTerminal: boolean
}

/** One process and who started it. */
export interface TableRow extends Ancestor {
  readonly parentId: number
}

/**
 * Of `ps -A -o pid=,ppid=,tty=,args=`. It does not keep the words of a command apart: one with a space in it comes as two.
 * Lines of another shape are passed over.
 */
export function parseProcessTable(text: string): ReadonlyMap<number, TableRow> {
  const rows = new Map<number, TableRow>()
  for (const line of text.split('\n')) {
    const [, id, parent, terminal = '', command = ''] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)(?:\s+(.*))?$/.exec(line) ?? []
    if (id === undefined || parent === undefined) continue
    rows.set(Number(id), {
      processId: Number(id),
      parentId: Number(parent),
      words: command.split(/\s+/).filter((word) => word !== ''),
      hasTerminal: !/^[?-]+$/.test(terminal),
    })
  }
  return rows
}

/** Of `lsof -F fn`: what lies behind these two descriptors. Undefined: it does not say it of both. */
export function parseOpenFiles(text: string): readonly [input: string, output: string] | undefined {
  const paths = new Map<string, string>()
  let descriptor = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('f')) descriptor = line.slice(1)
    if (line.startsWith('n')) paths.set(descriptor, line.slice(1))
  }
  const [input, output] = [paths.get('0'), paths.get('1')]
  return input === undefined || output === undefined ? undefined : [input, output]
}

/** Such as `/dev/pts/3` or `/dev/ttys001`. One that was closed is none any more. */
export function isTerminal(path: string): boolean {
  return /^\/dev\/(?:pts\/\d+|tty\w*|console)$/.test(path)
}
