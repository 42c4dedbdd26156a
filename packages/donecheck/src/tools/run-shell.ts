import { z } from 'zod'
import type { Tool, ToolOutcome } from '../ports.ts'
import { runProcess, showExcerpt, type ProcessEnd } from '../process/index.ts'
import { defineTool } from './define-tool.ts'
import { oneLine } from './one-line.ts'

/** Of a long output, this much of either end is shown. */
const shownBytes = 8 * 1024
const longestCommand = 64 * 1024
const longestSummary = 120

export interface ShellOptions {
  readonly workFolder: string
  /** When the call does not say. */
  readonly timeoutMs: number
  /** What a call may ask for. */
  readonly maxTimeoutMs: number
  readonly environment: Readonly<Record<string, string>>
}

/** Runs a command line with `sh` in the work folder. What it leaves running in its process group is killed with it. */
export function runShellTool(options: ShellOptions): Tool {
  const { timeoutMs, maxTimeoutMs } = options
  const [seconds, maxSeconds] = [timeoutMs / 1000, Math.max(1, Math.floor(maxTimeoutMs / 1000))]
  const schema = z.strictObject({
    command: z
      .string()
      .min(1)
      .max(longestCommand)
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
  return defineTool<z.infer<typeof schema>>({
    name: 'run_shell',
    description: `Runs a shell command in the work folder and waits for its end. No input; processes left in the background are killed. Of a long output the first and last ${shownBytes / 1024} KiB are shown.`,
    effect: 'execute',
    schema,
    prepare: async ({ command, timeout_seconds }) => ({
      kind: 'ready',
      summary: `run ${oneLine(command, longestSummary)}`,
      ...(oneLine(command, longestSummary) === command ? {} : { preview: command }),
      run: (signal) =>
        runShell(
          command,
          timeout_seconds === undefined ? timeoutMs : timeout_seconds * 1000,
          options,
          signal,
        ),
    }),
  })
}

async function runShell(
  command: string,
  timeoutMs: number,
  { workFolder, environment }: ShellOptions,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const result = await runProcess({
    command: { shell: command },
    folder: workFolder,
    environment: withoutOwnVariables(environment),
    timeoutMs,
    signal,
    headBytes: shownBytes,
    tailBytes: shownBytes,
    keepBytes: 0,
  })
  const output = showExcerpt(result.output)
  const gap = output === '' || output.endsWith('\n') ? '' : '\n'
  return { status: statusOf(result.end), output: `${output}${gap}[${endOf(result.end, timeoutMs)}]` }
}

/** Our own keys and settings are not the agent's business. */
function withoutOwnVariables(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('DONECHECK_')))
}

function statusOf(end: ProcessEnd): ToolOutcome['status'] {
  if (end.kind === 'aborted') return 'interrupted'
  return end.kind === 'exited' && end.exitCode === 0 ? 'ok' : 'error'
}

function endOf(end: ProcessEnd, timeoutMs: number): string {
  switch (end.kind) {
    case 'exited':
      return `exit code ${end.exitCode}`
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
