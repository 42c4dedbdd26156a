import { z } from 'zod'
import { given } from '../../../base/index.ts'
import type { PreparedCall, Tool, ToolOutcome } from '../../../ports/loop.ts'
import type { Sandbox } from '../../../ports/gate.ts'
import type { SandboxDescription } from '@donecheck/core/internal/events'
import { defineTool, invalid, oneLine } from '../define-tool.ts'
import {
  runInShell,
  shownBytes,
  escalationFields,
  escalationOf,
  sandboxSentence,
  type EscalationArgs,
} from './shell-process.ts'

const maxCommandLength = 64 * 1024
const maxSummaryLength = 120
const keptInside = 'it was run inside of the sandbox: nobody has allowed it to leave'

export interface ShellOptions {
  readonly workFolder: string
  readonly timeoutMs: number
  readonly maxTimeoutMs: number
  readonly environment: Readonly<Record<string, string>>
  /** Commands are not confined if this is absent. */
  readonly sandbox?: Sandbox
}

interface ShellArgs extends EscalationArgs {
  readonly command: string
  readonly timeout_seconds?: number | undefined
}

/** Runs `sh` in the work folder; kills what it leaves in its process group. */
export function runShellTool(options: ShellOptions): Tool {
  const { sandbox } = options
  const isConfined = sandbox?.description.isConfined === true
  const tool = defineTool<ShellArgs>({
    name: 'run_shell',
    description: `Runs a shell command in the work folder and waits for its end. No input; processes left in the background are killed. Of a long output the first and last ${shownBytes / 1024} KiB are shown.${isConfined ? sandboxSentence(sandbox) : ''}`,
    effect: 'execute',
    schema: schemaOf(options, isConfined),
    prepare: async (args) => prepare(args, options),
  })
  return { ...tool, sandbox: sandbox?.description ?? unconfined }
}

const unconfined: SandboxDescription = {
  driver: 'off',
  isConfined: false,
  network: 'on',
  summary: 'NOT CONFINED: commands can read, write and reach whatever you can; no sandbox was given',
}

function schemaOf({ timeoutMs, maxTimeoutMs }: ShellOptions, isConfined: boolean): z.ZodType<ShellArgs> {
  const [seconds, maxSeconds] = [timeoutMs / 1000, Math.max(1, Math.floor(maxTimeoutMs / 1000))]
  const base = z.strictObject({
    command: z
      .string()
      .min(1)
      .max(maxCommandLength)
      .refine((command) => command.trim() !== '' && !command.includes('\0'), {
        error: 'empty, or with a NUL character',
      })
      .describe('Command line for sh, run in the work folder.'),
    timeout_seconds: z
      .int()
      .min(1)
      .max(maxSeconds)
      .optional()
      .describe(`The command is killed after that. Default ${seconds}.`),
  })
  return isConfined ? base.extend(escalationFields) : base
}

function prepare(args: ShellArgs, options: ShellOptions): PreparedCall {
  const { command, timeout_seconds } = args
  const { workFolder: folder, environment, sandbox } = options
  const escalation = escalationOf(args)
  if (typeof escalation === 'string') return invalid(escalation)
  const timeoutMs = timeout_seconds === undefined ? options.timeoutMs : timeout_seconds * 1000
  const run = { command, folder, timeoutMs, environment }
  const summary = oneLine(command, maxSummaryLength)
  return {
    kind: 'ready',
    summary: `run ${escalation === undefined ? '' : 'outside of the sandbox: '}${summary}`,
    ...(summary === command ? {} : { preview: command }),
    action: { kind: 'command', script: command, folder, ...given({ escalation }) },
    async run(signal, context) {
      const isOutside = escalation !== undefined && context?.outsideSandbox === true
      const around = given({ onOutput: context?.onOutput, sandbox: isOutside ? undefined : sandbox })
      const outcome = withPatchHint(await runInShell({ ...run, ...around }, signal))
      const isKept = escalation !== undefined && !isOutside
      return isKept ? { ...outcome, output: `${outcome.output}\n[${keptInside}]` } : outcome
    },
  }
}

function withPatchHint(outcome: ToolOutcome): ToolOutcome {
  const { status, output } = outcome
  const isMissing =
    status === 'error' && /\bapply_?patch: (?:command )?not found|not found: apply_?patch\b/.test(output)
  if (!isMissing) return outcome
  return { ...outcome, output: `${output}\n[apply_patch is a tool, not a program: call it with the patch]` }
}
