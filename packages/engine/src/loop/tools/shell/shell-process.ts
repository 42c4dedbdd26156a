/** How to ask to leave a sandbox, and how its refusals look. */
import { given } from '../../../base/index.ts'
import type { Sandbox, SandboxedCommand, Escalation } from '../../../ports/gate.ts'
import type { ToolOutcome } from '../../../ports/loop.ts'
import { runProcess, showExcerpt, type ProcessEnd } from '../../../system/process/index.ts'
import { constants } from 'node:os'
import { z } from 'zod'

/** Shown of each end of a long output. */
export const shownBytes = 8 * 1024

interface ShellRun {
  readonly command: string
  readonly folder: string
  readonly timeoutMs: number
  readonly environment: Readonly<Record<string, string>>
  readonly sandbox?: Sandbox
  readonly onOutput?: (piece: string) => void
}

/** Reports output and exit. Does not run if the sandbox cannot be created. */
export async function runInShell(request: ShellRun, signal: AbortSignal): Promise<ToolOutcome> {
  const { command, folder, sandbox } = request
  const words = ['sh', '-c', command, 'donecheck'] as const
  const environment = withoutOwnVariables(request.environment)
  const started: SandboxedCommand =
    sandbox === undefined
      ? { kind: 'ready', words, environment }
      : await sandbox.confine({ words, folder, environment })
  if (started.kind === 'unavailable')
    return { status: 'error', output: `not run, because the sandbox cannot be made: ${started.problem}` }
  try {
    return await runWords(started, request, signal)
  } finally {
    await started.release?.()
  }
}

async function runWords(
  { words, environment }: Extract<SandboxedCommand, { kind: 'ready' }>,
  { folder, timeoutMs, sandbox, onOutput }: ShellRun,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { end, output: excerpt } = await runProcess({
    command: { words },
    folder,
    environment,
    timeoutMs,
    signal,
    headBytes: shownBytes,
    tailBytes: shownBytes,
    keepBytes: 0,
    ...given({ onOutput }),
  })
  const output = showExcerpt(excerpt)
  const gap = output === '' || output.endsWith('\n') ? '' : '\n'
  const status = statusOf(end)
  const note = status === 'error' ? confinementNote(output, sandbox) : ''
  return { status, output: `${output}${gap}[${endOf(end, timeoutMs, sandbox)}]${note}` }
}

function withoutOwnVariables(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('DONECHECK_')))
}

function statusOf(end: ProcessEnd): ToolOutcome['status'] {
  if (end.kind === 'aborted') return 'interrupted'
  return end.kind === 'exited' && end.exitCode === 0 ? 'ok' : 'error'
}

function endOf(end: ProcessEnd, timeoutMs: number, sandbox: Sandbox | undefined): string {
  switch (end.kind) {
    case 'exited': {
      const signalName = sandbox?.description.isConfined === true ? signalNameOf(end.exitCode) : undefined
      return signalName === undefined
        ? `exit code ${end.exitCode}`
        : `exit code ${end.exitCode}, as after ${signalName}`
    }
    case 'signalled':
      return `killed by ${end.signal}`
    case 'timed-out':
      return `timed out after ${timeoutMs / 1000} s and was killed; a longer time can be given with timeout_seconds`
    case 'aborted':
      return 'interrupted and killed'
    case 'not-started':
      return `not started: ${end.problem}`
  }
}

export interface EscalationArgs {
  readonly outside_sandbox?: boolean | undefined
  readonly reason?: string | undefined
  readonly prefix?: readonly string[] | undefined
}

export const escalationFields = {
  outside_sandbox: z
    .boolean()
    .optional()
    .describe(
      'Ask to run this command outside of the sandbox. Only where it cannot work inside; give a reason.',
    ),
  reason: z
    .string()
    .max(1_000)
    .optional()
    .describe('With outside_sandbox: why, in one sentence for the person who decides.'),
  prefix: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(8)
    .optional()
    .describe(
      'With outside_sandbox: the first words of the command, such as ["npm", "install"], if commands that begin so may be allowed from now on.',
    ),
} as const

/** Undefined if the call does not ask; a text if it gives no reason. */
export function escalationOf(args: EscalationArgs): Escalation | string | undefined {
  if (args.outside_sandbox !== true) return undefined
  const reason = args.reason?.trim() ?? ''
  if (reason === '') return 'reason: missing; outside_sandbox needs a reason for the person who decides'
  const [first, ...others] = args.prefix ?? []
  return first === undefined ? { reason } : { reason, prefix: [first, ...others] }
}

export function sandboxSentence({ description }: Sandbox): string {
  const network = description.network === 'off' ? ' and there is no network' : ''
  return ` Runs in a sandbox: only the work folder and /tmp (not that of others) can be written${network}.`
}

const refusals: readonly (readonly [expression: RegExp, said: string])[] = [
  [/Read-only file system|\bEROFS\b/i, 'only the work folder and /tmp can be written'],
  [
    /Network is unreachable|Could not resolve host|Temporary failure in name resolution|Name or service not known|\b(?:ENETUNREACH|EAI_AGAIN|ENETDOWN)\b|failure resolving|dial tcp.*(?:unreachable|lookup)/i,
    'there is no network',
  ],
  [
    /Device or resource busy|\bEBUSY\b/,
    "git's configuration and hooks and the scripts of the checks cannot be changed",
  ],
]

/** A hint for a failure that looks like the sandbox's; empty otherwise. */
export function confinementNote(output: string, sandbox: Sandbox | undefined): string {
  if (sandbox?.description.isConfined !== true) return ''
  const said = refusals.flatMap(([expression, text], index) => {
    const isImpossible = index === 1 && sandbox.description.network === 'on'
    return !isImpossible && expression.test(output) ? [text] : []
  })
  if (said.length === 0) return ''
  return `\n[this looks like the sandbox: ${said.join('; ')}. If the command must do it, call run_shell again with outside_sandbox: true and a reason]`
}

/** Sandboxes report a killed command as 128 plus the signal. */
function signalNameOf(exitCode: number): string | undefined {
  return Object.entries(constants.signals).find(([, signal]) => signal === exitCode - 128)?.[0]
}
