import type { Check, Effect } from './effect.ts'

/** A program of the line with its arguments, to be followed into the script that it runs. */
export interface Invocation {
  readonly words: readonly string[]
  /** Folder that the line has changed to, relative to where it began, or absolute. */
  readonly folder: string
}

/** What the whole reading has in common, subshells included. */
export interface Reading {
  /** Why a part cannot be read: then nothing can be said of the whole. */
  unreadable: string | undefined
  /** Words of a trap that ends with success. */
  trap: string | undefined
  readonly invocations: Invocation[]
  steps: number
}

/** A shell in the middle of a line. */
export interface ShellState {
  readonly reading: Reading
  /** `set -e` is deaf here: in a condition, before `&&` and `||`, behind `!`. */
  isGuarded: boolean
  errexit: boolean
  pipefail: boolean
  folder: string
  /** What `$?` would tell of now. */
  previous: readonly Check[]
  /** What `PIPESTATUS` would tell of now. */
  pipeline: readonly Check[]
  /** Checks whose exit code was put into a variable. */
  readonly captured: Map<string, readonly Check[]>
  /** Functions of the line, by name. */
  readonly functions: Map<string, (state: ShellState) => Effect>
  readonly depth: number
  /** Reads a text in another shell. */
  readonly evaluateText: (text: string, state: ShellState) => Effect
}

export function newReading(): Reading {
  return { unreadable: undefined, trap: undefined, invocations: [], steps: 0 }
}

/** Another shell that starts as this one is. */
export function subshellOf(state: ShellState): ShellState {
  return {
    ...state,
    captured: new Map(state.captured),
    functions: new Map(state.functions),
    depth: state.depth + 1,
  }
}

/** A fresh program `sh`: it inherits nothing but the folder. */
export function freshShell(state: ShellState, options: Pick<ShellState, 'errexit' | 'pipefail'>): ShellState {
  return {
    ...state,
    ...options,
    isGuarded: false,
    previous: [],
    pipeline: [],
    captured: new Map(),
    functions: new Map(),
    depth: state.depth + 1,
  }
}

/** `set` as it is written: the options that matter here. */
export function readSetOptions(args: readonly string[]): Partial<Pick<ShellState, 'errexit' | 'pipefail'>> {
  const change: { errexit?: boolean; pipefail?: boolean } = {}
  for (const [index, arg] of args.entries()) {
    if (!/^[-+][a-zA-Z]+$/.test(arg)) continue
    const isOn = arg.startsWith('-')
    if (arg.includes('e')) change.errexit = isOn
    const named = arg.endsWith('o') ? args[index + 1] : undefined
    if (named === 'errexit') change.errexit = isOn
    if (named === 'pipefail') change.pipefail = isOn
  }
  return change
}

/** What a condition is made of. */
export function guarded(state: ShellState, evaluate: () => Effect): Effect {
  const before = state.isGuarded
  state.isGuarded = true
  const effect = evaluate()
  state.isGuarded = before
  return effect
}

/** What may not be run at all: an option that it switches on is not relied on. */
export function perhaps(state: ShellState, evaluate: () => Effect): Effect {
  const { errexit, pipefail } = state
  const effect = evaluate()
  state.errexit &&= errexit
  state.pipefail &&= pipefail
  return effect
}

export function newShell(reading: Reading, evaluateText: ShellState['evaluateText']): ShellState {
  return {
    reading,
    evaluateText,
    isGuarded: false,
    errexit: false,
    pipefail: false,
    folder: '.',
    previous: [],
    pipeline: [],
    captured: new Map(),
    functions: new Map(),
    depth: 0,
  }
}
