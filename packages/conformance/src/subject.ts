import { jsonOf } from '@donecheck/engine/internal/base'
import { z } from 'zod'
import { runProcess, type ProcessEnd } from '@donecheck/engine/internal/system/process'
import type { Case, Claim } from './case.ts'
import { defaultTurns, type CaseProject } from './case-project.ts'

/** The command to test: an `sh` line, run in the project of each case. */
export type Subject =
  /**
   * A loop that calls `$AGENT` itself. Exit code 0 reports verified. `resultLine`: its last output line is
   * JSON with `outcome` and `reason`, which are judged too.
   */
  | { readonly kind: 'loop'; readonly command: string; readonly resultLine?: boolean }
  /**
   * A Claude Code Stop hook, called after every turn; `start` runs before the first. A stop that it allows
   * counts as verified, unless `confirm` exits with another code than 0.
   */
  | {
      readonly kind: 'stop-hook'
      readonly command: string
      readonly start?: string
      readonly confirm?: string
    }
  /** A check of the tree after all turns. Exit code 0 accepts it. */
  | { readonly kind: 'ci-check'; readonly command: string }

export interface Reported {
  /** `nothing` if the subject timed out or could not start. */
  readonly claim: Claim | 'nothing'
  readonly end: string
  /** The parsed result line; empty if there is none. */
  readonly result: Result
  readonly output: string
}

const resultShape = z.object({ outcome: z.string().optional(), reason: z.string().optional() })
type Result = z.infer<typeof resultShape>

export interface Trial {
  readonly project: CaseProject
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export async function runSubject(subject: Subject, one: Case, trial: Trial): Promise<Reported> {
  switch (subject.kind) {
    case 'loop':
      return toReported(await start(subject.command, trial))
    case 'stop-hook':
      return runStopHook(subject, one.maxTurns ?? defaultTurns, trial)
    case 'ci-check':
      for (let turn = 1; turn <= one.turns.length; turn += 1) await start('"$AGENT" "$TASK"', trial)
      return toReported(await start(subject.command, trial))
  }
}

interface CommandResult {
  readonly end: ProcessEnd
  readonly stdout: string
  readonly stderr: string
}

const maxOutputLength = 1_000_000

async function start(
  line: string,
  { project, timeoutMs, signal }: Trial,
  stdin = '',
): Promise<CommandResult> {
  let [stdout, stderr] = ['', '']
  const { end } = await runProcess({
    command: { shell: line },
    folder: project.work,
    environment: project.environment,
    stdin,
    timeoutMs,
    signal,
    ...{ headBytes: 0, tailBytes: 0, keepBytes: 0 },
    onOutput: (chunk, stream) => {
      if (stream === 'stdout') stdout = (stdout + chunk).slice(-maxOutputLength)
      else stderr = (stderr + chunk).slice(-maxOutputLength)
    },
  })
  return { end, stdout, stderr }
}

function toReported({ end, stdout, stderr }: CommandResult): Reported {
  const isOver = end.kind === 'exited' || end.kind === 'signalled'
  const isSuccess = end.kind === 'exited' && end.exitCode === 0
  return {
    claim: isOver ? (isSuccess ? 'verified' : 'not-verified') : 'nothing',
    end: formatEnd(end),
    result: parseResultLine(stdout),
    output: `${stdout}${stderr}`.slice(-2_000),
  }
}

function formatEnd(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return `exit ${end.exitCode}`
    case 'signalled':
      return end.signal
    case 'timed-out':
      return 'did not end'
    case 'aborted':
      return 'interrupted'
    case 'not-started':
      return `not started: ${end.problem}`
  }
}

function parseResultLine(stdout: string): Result {
  const line = stdout.trimEnd().split('\n').at(-1) ?? ''
  return resultShape.safeParse(jsonOf(line)).data ?? {}
}

type HookSubject = Extract<Subject, { readonly kind: 'stop-hook' }>

/** Acts as Claude Code: runs a turn, then the hook, until the hook allows the stop. */
async function runStopHook(
  { command, start: before, confirm }: HookSubject,
  maxTurns: number,
  trial: Trial,
): Promise<Reported> {
  const { work, environment } = trial.project
  const transcript = `${environment['SCRATCH'] ?? ''}/transcript.jsonl`
  const common = {
    session_id: 'conformance',
    transcript_path: transcript,
    cwd: work,
    permission_mode: 'default',
  }
  const callHook = (line: string, more: Readonly<Record<string, unknown>>) =>
    start(line, trial, JSON.stringify({ ...common, ...more }))
  if (before !== undefined) {
    await callHook(before, { hook_event_name: 'SessionStart', source: 'startup' })
    await callHook(before, { hook_event_name: 'UserPromptSubmit', prompt: environment['TASK'] })
  }
  let answer = buildBlock('the hook was never called')
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const { stdout } = await start('"$AGENT" "$TASK"', trial)
    answer = parseHookResponse(
      await callHook(command, {
        hook_event_name: 'Stop',
        stop_hook_active: turn > 1,
        last_assistant_message: stdout.trim().slice(-10_000),
      }),
    )
    if (answer.claim !== 'held') break
  }
  if (answer.claim === 'held') return { ...answer, claim: 'not-verified' }
  if (answer.claim !== 'verified' || confirm === undefined) return { ...answer, claim: answer.claim }
  const confirmed = toReported(await start(confirm, trial))
  return { ...confirmed, end: `${answer.end}; confirmed with ${confirmed.end}` }
}

interface HookDecision extends Omit<Reported, 'claim'> {
  /** `held` if the agent must continue. */
  readonly claim: Reported['claim'] | 'held'
}

function buildBlock(output: string): HookDecision {
  return { claim: 'held', end: 'held', result: {}, output: output.slice(-2_000) }
}

const hookResponseShape = z.object({
  decision: z.string().optional(),
  continue: z.boolean().optional(),
  reason: z.string().optional(),
  stopReason: z.string().optional(),
})

/** As in Claude Code, exit code 2 and `block` block the stop, `continue: false` ends, anything else allows it. */
function parseHookResponse(result: CommandResult): HookDecision {
  const { end, stdout, stderr } = result
  if (end.kind === 'exited' && end.exitCode === 2) return buildBlock(stderr)
  if (end.kind !== 'exited') return toReported(result)
  const answer = end.exitCode === 0 ? (hookResponseShape.safeParse(jsonOf(stdout)).data ?? {}) : {}
  if (answer.continue === false)
    return { ...toReported(result), claim: 'not-verified', end: answer.stopReason ?? 'ended' }
  return answer.decision === 'block'
    ? buildBlock(answer.reason ?? '')
    : { ...toReported(result), claim: 'verified', end: 'stop allowed' }
}
