import { given, messageOf } from '../../../base/index.ts'
import type { Sandbox, SandboxedCommand } from '../../../ports/gate.ts'
import type { ToolOutcome } from '../../../ports/loop.ts'
import { runProcess, showExcerpt, type ProcessEnd } from '../../../system/process/index.ts'
import { confinementNote, signalNameOf } from './shell-sandbox.ts'

/** Of a long output, this much of either end is shown. */
export const shownBytes = 8 * 1024

export interface ShellRun {
  readonly command: string
  readonly folder: string
  readonly timeoutMs: number
  readonly environment: Readonly<Record<string, string>>
  /** Absent: the command reaches what this process reaches. */
  readonly sandbox?: Sandbox
  readonly onOutput?: (piece: string) => void
}

/** Runs a command line with `sh`, and tells its output and its end. In a sandbox that cannot be made it is not run at all. */
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
    const outcome = await runWords(started, request, signal)
    return await inspectLeftBehind(outcome, started.inspect)
  } finally {
    await started.release?.()
  }
}

/** What was left behind is told; where nobody can tell what was, that is an error. */
async function inspectLeftBehind(
  outcome: ToolOutcome,
  inspect: (() => Promise<readonly string[]>) | undefined,
): Promise<ToolOutcome> {
  try {
    const reported = (await inspect?.()) ?? []
    return { ...outcome, output: [outcome.output, ...reported.map((line) => `[${line}]`)].join('\n') }
  } catch (error) {
    const note = `[the tree could not be looked through for what the command left behind: ${messageOf(error)}]`
    return { ...outcome, status: 'error', output: `${outcome.output}\n${note}` }
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

/** Our own keys and settings are not the agent's business. */
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
