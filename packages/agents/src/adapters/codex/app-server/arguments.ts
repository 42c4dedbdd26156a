/** What follows `codex` on the user's line, as what the app-server is told. */
import { UsageError } from '@donecheck/engine/base'

export interface AppServerChoices {
  /** For the command line of the app-server. */
  readonly flags: readonly string[]
  readonly model: string | undefined
  /** Undefined: the user has it in a setting of their own. */
  readonly sandbox: string | undefined
  readonly approvalPolicy: string | undefined
}

/**
 * An unattended run works in Codex's own sandbox `workspace-write`, and asks for every command and every change: what it
 * asks for is answered by our gate, and runs within the sandbox all the same unless leaving it was asked for and allowed.
 */
const defaults = { sandbox: 'workspace-write', approvalPolicy: 'untrusted' } as const

const sandboxes = ['read-only', 'workspace-write', 'danger-full-access']
const everything = ['--dangerously-bypass-approvals-and-sandbox', '--yolo']

/**
 * The user's own words win over what we would choose.
 * @throws {UsageError} for a word that the app-server cannot be told
 */
export function readAppServerWords(words: readonly string[]): AppServerChoices {
  const flags: string[] = []
  const chosen: { model?: string; sandbox?: string; approvalPolicy?: string } = {}
  const rest = words.flatMap((word) => splitAtEqualSign(word))
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    const value = (): string => rest.shift() ?? missing(word)
    if (['-m', '--model'].includes(word)) chosen.model = value()
    else if (['-s', '--sandbox'].includes(word)) chosen.sandbox = knownSandbox(value())
    else if (['-a', '--ask-for-approval'].includes(word)) chosen.approvalPolicy = value()
    else if (['-c', '--config', '--enable', '--disable'].includes(word)) flags.push(word, value())
    else if (word === '--strict-config') flags.push(word)
    else if (everything.includes(word))
      Object.assign(chosen, { sandbox: 'danger-full-access', approvalPolicy: 'never' })
    else if (word !== '--skip-git-repo-check' && word !== '--json') unknown(word)
  }
  const isSet = (name: string) => flags.some((flag) => flag.startsWith(`${name}=`))
  return {
    flags,
    model: chosen.model,
    sandbox: chosen.sandbox ?? (isSet('sandbox_mode') ? undefined : defaults.sandbox),
    approvalPolicy: chosen.approvalPolicy ?? (isSet('approval_policy') ? undefined : defaults.approvalPolicy),
  }
}

/** Whether what runs is kept in Codex's sandbox, as far as the words tell. */
export function isConfined({ sandbox, flags }: AppServerChoices): boolean {
  if (sandbox !== undefined) return sandbox !== 'danger-full-access'
  return !flags.some((flag) => /^sandbox_mode=.*danger/.test(flag))
}

function splitAtEqualSign(word: string): readonly string[] {
  const [, name, value] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? []
  return name === undefined || value === undefined ? [word] : [name, value]
}

function knownSandbox(name: string): string {
  if (sandboxes.includes(name)) return name
  throw new UsageError(`codex has no sandbox "${name}"; it knows ${sandboxes.join(', ')}`)
}

function missing(word: string): never {
  throw new UsageError(`${word} of codex needs a value`)
}

function unknown(word: string): never {
  const command = ['codex', 'exec', ...(word === 'exec' ? [] : [word]), '{prompt}'].join(' ')
  throw new UsageError(
    `codex app-server cannot be told "${word}": set it with -c KEY=VALUE, or run Codex as a program of your own with --agent '${command}'`,
  )
}
