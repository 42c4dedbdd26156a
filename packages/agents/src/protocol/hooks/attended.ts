/**
 * Whether the agent is attended, for agents that do not say so: seen at the process that called the hook.
 *
 * An agent gains nothing by it. What is looked at are its own ancestors, which it can neither choose nor rename: what it starts
 * itself is below it. (A record of its session it could rewrite, which is asked where a server of the agent's serves windows, and
 * there alone.) Whatever is not plain stays unknown, and is verified. And where it is attended, only this follows: a
 * turn that left the tree as it was is not checked, and is recorded as not verified.
 */
import { thisMachine, type Ancestor, type ProcessView } from '@donecheck/engine/process'
import { knownAgents } from '../registry/index.ts'

/**
 * `somebody`: it talks with its user at a terminal. `nobody`: it does one task, and ends. `windows`: it has no terminal
 * and serves those of others; who opened the session stands in its record.
 */
export type Attendance = 'somebody' | 'nobody' | 'windows' | 'unknown'

/** How an agent's own process is known, and what the words that it was started with say. */
export interface OwnProgram {
  /** As the file of the program is called, or its script. */
  readonly names: readonly string[]
  /** Folders in which its script lies, whatever that is called: `@openai/codex`. */
  readonly folders?: readonly string[]
  /** @param words without the program */
  readonly attendanceOf: (words: readonly string[]) => Attendance
  /** Of the first line in the agent's own record of the session. */
  readonly isOpenedInWindow?: (firstLine: string) => boolean
}

interface SeenOfHook {
  /** The agent's. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The first line in the agent's own record of the session; undefined: there is none. */
  readonly firstLine: () => string | undefined
}

/** Undefined: nobody can say. */
export function isUnattended(
  program: OwnProgram,
  { environment, firstLine }: SeenOfHook,
  machine: ProcessView = thisMachine,
): boolean | undefined {
  const own = ownProcesses(machine.ancestors() ?? [], program)
  const [nearest] = own
  if (nearest === undefined) return undefined
  const reported = own.map(({ told: reported }) => reported)
  if (reported.includes('nobody')) return true
  if (reported.includes('unknown')) return undefined
  // Terminals that a machine has made.
  const isMachine = (environment['CI'] ?? '') !== ''
  if (nearest.told === 'windows') {
    const isOpened = program.isOpenedInWindow?.(firstLine() ?? '') === true
    return isOpened && !isMachine ? false : undefined
  }
  const usesTerminal = machine.usesTerminal(nearest.processId)
  if (usesTerminal !== true) return usesTerminal === undefined ? undefined : true
  return isMachine || !nearest.hasTerminal ? undefined : false
}

interface OwnProcess {
  readonly processId: number
  readonly hasTerminal: boolean
  readonly told: Attendance
}

/**
 * From the nearest on: some agents start themselves a second time. Between it and the hook stand only shells. Empty where it
 * is not there, and where another agent, or a run of ours, has started it: that one's terminal is nobody's.
 */
function ownProcesses(ancestors: readonly Ancestor[], program: OwnProgram): readonly OwnProcess[] {
  const begin = ancestors.findIndex(({ words }) => !isShell(words))
  if (begin === -1) return []
  const own: OwnProcess[] = []
  for (const { processId, hasTerminal, words } of ancestors.slice(begin)) {
    const rest = wordsOf(words, program)
    if (rest === undefined) break
    own.push({ processId, hasTerminal, told: program.attendanceOf(rest) })
  }
  const isStarted = ancestors.slice(begin + own.length).some(({ words }) => isAgent(words, program))
  return isStarted ? [] : own
}

const shells = new Set(['sh', 'ash', 'bash', 'dash', 'fish', 'ksh', 'zsh', 'busybox'])

/** A login shell calls itself `-zsh`. */
function isShell([program = '']: readonly string[]): boolean {
  return shells.has(nameOf(program).replace(/^-/, ''))
}

const interpreters = new Set(['node', 'nodejs', 'bun', 'deno'])

/**
 * What follows after the program, and after its script where an interpreter runs that, under its own name or the program's.
 * Undefined: it is another program.
 */
function wordsOf(
  [program = '', ...words]: readonly string[],
  own: OwnProgram,
): readonly string[] | undefined {
  const isNamed = own.names.includes(nameOf(program))
  if (!isNamed && !interpreters.has(nameOf(program))) return undefined
  const at = words.findIndex((word) => !word.startsWith('-'))
  const script = words[at] ?? ''
  if ((own.folders ?? []).some((folder) => lies(script, folder))) return words.slice(at + 1)
  if (isNamed) return words
  return own.names.includes(nameOf(script)) ? words.slice(at + 1) : undefined
}

/** The last part, without what tells the kind of a file. */
function nameOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return name.replace(/\.(?:[cm]?js|exe)$/, '')
}

function lies(path: string, folder: string): boolean {
  return path.replaceAll('\\', '/').includes(`/${folder}/`)
}

const agents: OwnProgram = {
  names: [...knownAgents.map(({ program }) => program), 'donecheck'],
  attendanceOf: () => 'unknown',
}

function isAgent(words: readonly string[], program: OwnProgram): boolean {
  return wordsOf(words, agents) !== undefined || wordsOf(words, program) !== undefined
}

/**
 * How an agent's own process is known by its words.
 * @param alone words by which it does one task and ends; one letter (`-p`) also among others (`-yp`)
 * @param elsewhere words by which whoever sits before it, if anybody does, sits elsewhere
 * @param commands after which somebody sits at its terminal; absent: whatever the command is
 */
export function attendanceByWords(
  alone: readonly string[],
  elsewhere: readonly string[] = [],
  commands?: readonly string[],
): OwnProgram['attendanceOf'] {
  return (words): Attendance => {
    if (alone.some((flag) => hasFlag(words, flag))) return 'nobody'
    if (hasWord(words, elsewhere)) return 'unknown'
    const command = commands === undefined ? undefined : commandIn(words)
    return command === undefined || commands?.includes(command) === true ? 'somebody' : 'unknown'
  }
}

function hasFlag(words: readonly string[], flag: string): boolean {
  return hasWord(words, [flag]) || (/^-[a-z]$/.test(flag) && hasShortFlag(words, flag.slice(1)))
}

/** The flag `-p` in any of its forms: alone, among others (`-yp`), and with its value behind it. */
export function hasShortFlag(words: readonly string[], letter: string): boolean {
  return words.some((word) => /^-[A-Za-z]/.test(word) && flagLetters(word).includes(letter))
}

function flagLetters(word: string): string {
  return /^-([A-Za-z]*)/.exec(word)?.[1] ?? ''
}

/** Any of these, with its value behind it or without. */
export function hasWord(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((word) => wanted.includes(word.split('=', 1)[0] ?? ''))
}

/** What may be the name of a command of the agent: the first word, if it is no flag and no sentence. */
export function commandIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => !word.startsWith('-'))
  const isValue = at > 0
  const word = words[at]
  return word !== undefined && !isValue && /^[a-z][a-z-]*$/.test(word) ? word : undefined
}
