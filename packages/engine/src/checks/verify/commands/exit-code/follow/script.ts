import { readFileSync, statSync } from 'node:fs'

/** A text that a command of a line runs in a shell. */
export interface Script {
  readonly text: string
  /** For people, such as `package.json scripts.test`. */
  readonly where: string
  /** Absolute: where its own commands are looked up. */
  readonly folder: string
  readonly errexit?: boolean
  readonly pipefail?: boolean
  /** Its failure is taken for a success. */
  readonly ignoresFailure?: boolean
  /** Why its end says nothing, whatever its text says, as the end of a sentence. */
  readonly deaf?: string | undefined
}

const largestBytes = 1024 * 1024

/** Undefined: there is no such file, or it is no text that can be read. */
export function readText(file: string): string | undefined {
  try {
    const found = statSync(file)
    if (!found.isFile() || found.size > largestBytes) return undefined
    const text = readFileSync(file, 'utf8')
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

export interface SetOptions {
  errexit?: boolean
  pipefail?: boolean
  nounset?: boolean
}

/** Where the first word stands that is neither an option of the shell nor the value of one; -1: there is none. */
export function operandOf(args: readonly string[]): number {
  return args.findIndex((arg, index) => !/^[-+]/.test(arg) && !/^[-+]\w*o$/.test(args[index - 1] ?? ''))
}

/** `set` as it is written, and the options of a shell: those that matter here. */
export function readSetOptions(args: readonly string[]): Readonly<SetOptions> {
  const change: SetOptions = {}
  for (const [index, arg] of args.entries()) {
    if (!/^[-+][a-zA-Z]+$/.test(arg)) continue
    const isOn = arg.startsWith('-')
    const named = arg.endsWith('o') ? args[index + 1] : undefined
    if (arg.includes('e') || named === 'errexit') change.errexit = isOn
    if (arg.includes('u') || named === 'nounset') change.nounset = isOn
    if (named === 'pipefail') change.pipefail = isOn
  }
  return change
}
