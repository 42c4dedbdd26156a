/** What a command line must know of a sandbox: how to ask to leave it, and how its refusals look. */
import { constants } from 'node:os'
import { z } from 'zod'
import type { Escalation, Sandbox } from '../../../ports/gate.ts'

export interface EscalationArgs {
  readonly outside_sandbox?: boolean | undefined
  readonly reason?: string | undefined
  readonly prefix?: readonly string[] | undefined
}

/** Offered only where there is a sandbox to leave. */
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

/** Undefined: the call does not ask. A text: it asks and does not say why. */
export function escalationOf(args: EscalationArgs): Escalation | string | undefined {
  if (args.outside_sandbox !== true) return undefined
  const reason = args.reason?.trim() ?? ''
  if (reason === '') return 'reason: missing; outside_sandbox needs a reason for the person who decides'
  const [first, ...others] = args.prefix ?? []
  return first === undefined ? { reason } : { reason, prefix: [first, ...others] }
}

/** One sentence for the model, at the end of the tool's description. */
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

/** Where a failure looks like the sandbox's doing: a line that says so, and how to ask. Empty otherwise. */
export function confinementNote(output: string, sandbox: Sandbox | undefined): string {
  if (sandbox?.description.isConfined !== true) return ''
  const said = refusals.flatMap(([expression, text], index) => {
    const isImpossible = index === 1 && sandbox.description.network === 'on'
    return !isImpossible && expression.test(output) ? [text] : []
  })
  if (said.length === 0) return ''
  return `\n[this looks like the sandbox: ${said.join('; ')}. If the command must do it, call run_shell again with outside_sandbox: true and a reason]`
}

/** A sandbox tells of a command that was killed as a shell does: 128 and the signal. */
export function signalNameOf(exitCode: number): string | undefined {
  return Object.entries(constants.signals).find(([, signal]) => signal === exitCode - 128)?.[0]
}
