import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A text that a command of a line runs in a shell. */
export interface Script {
  readonly text: string
  /** For people, such as `package.json scripts.test`. */
  readonly where: string
  /** Absolute: where its own commands are looked up. */
  readonly folder: string
  /** Of many steps. */
  readonly isScript: boolean
  readonly errexit?: boolean
  readonly pipefail?: boolean
  /** Why it hides the failure of a check, whatever its text says. */
  readonly hidesFailures?: string
  /** Why nothing can be said of it. */
  readonly unreadable?: string
}

const largestBytes = 1024 * 1024

export interface ScriptText {
  readonly text: string
  readonly unreadable?: string
}

/** Undefined: there is no such file, or it is a program and no text. */
export async function readScript(...path: readonly [string, ...string[]]): Promise<ScriptText | undefined> {
  const file = join(...path)
  try {
    const { size } = await stat(file)
    if (size > largestBytes) return { text: '', unreadable: `it is longer than ${largestBytes} bytes` }
    const text = await readFile(file, 'utf8')
    return text.includes('\0') ? undefined : { text }
  } catch {
    return undefined
  }
}

export async function isThere(...path: readonly [string, ...string[]]): Promise<boolean> {
  const found = await stat(join(...path)).catch(() => undefined)
  return found !== undefined
}
