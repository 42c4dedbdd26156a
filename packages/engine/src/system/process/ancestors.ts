/** Who has started this process, and who has started those. Linux tells it itself; elsewhere `ps` and `lsof` are asked. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { openFileOf, readProcess, wordsOfProcess } from './linux-processes.ts'

export interface Ancestor {
  readonly processId: number
  /** Its program and its words, as it was started or as it calls itself since. */
  readonly words: readonly string[]
  /** It belongs to a terminal, whatever it reads from. */
  readonly hasTerminal: boolean
}

/** One process and who started it. */
interface TableRow extends Ancestor {
  readonly parentId: number
}

/** A machine whose processes can be looked at. */
export interface ProcessView {
  /** From the parent of this process up to the first of all. Undefined where it cannot be followed so far. */
  readonly ancestors: () => readonly Ancestor[] | undefined
  /** Whether it reads from a terminal and writes to one. Undefined: nobody can say. */
  readonly usesTerminal: (processId: number) => boolean | undefined
}

/** More is no tree that anybody has. */
const maxAncestors = 100

/** Never throws. */
export const thisMachine: ProcessView = process.platform === 'linux' ? linux() : elsewhere()

function linux(): ProcessView {
  return {
    ancestors: () => chainFrom(linuxRow),
    usesTerminal: (processId) => {
      const [input, output] = [openFileOf(processId, 0), openFileOf(processId, 1)]
      return input === undefined || output === undefined ? undefined : [input, output].every(isTerminal)
    },
  }
}

function linuxRow(processId: number): TableRow | undefined {
  const stat = readProcess(processId)
  return stat && { processId, words: wordsOfProcess(processId), ...stat }
}

/** With the programs that every such system brings along; where they are not, nothing is known. */
export function elsewhere(): ProcessView {
  return {
    ancestors: () => {
      const said = runForOutput(['/bin/ps', '/usr/bin/ps'], ['-A', '-ww', '-o', 'pid=,ppid=,tty=,args='])
      const rows = said === undefined ? undefined : parseProcessTable(said)
      return rows && chainFrom((processId) => rows.get(processId))
    },
    usesTerminal: (processId) => {
      const words = ['-n', '-P', '-a', '-p', String(processId), '-d', '0,1', '-F', 'fn']
      return parseOpenFiles(runForOutput(['/usr/sbin/lsof', '/usr/bin/lsof'], words) ?? '')?.every(isTerminal)
    },
  }
}

/** The first process of all has no parent, and so has the first that a container shows. */
function chainFrom(rowOf: (processId: number) => TableRow | undefined): readonly Ancestor[] | undefined {
  const chain: Ancestor[] = []
  for (let processId = process.ppid; processId > 0;) {
    const row = rowOf(processId)
    if (row === undefined || chain.length === maxAncestors) return undefined
    const { words, hasTerminal, parentId } = row
    chain.push({ processId, words, hasTerminal })
    processId = parentId
  }
  return chain
}

/** A machine that takes longer is too busy to be asked. */
const patienceMs = 2000
const maxBytes = 32 * 1024 * 1024

function runForOutput(programs: readonly string[], words: readonly string[]): string | undefined {
  const program = programs.find((path) => existsSync(path))
  if (program === undefined) return undefined
  const { error, stdout } = spawnSync(program, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patienceMs,
    maxBuffer: maxBytes,
  })
  return error === undefined ? stdout : undefined
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
