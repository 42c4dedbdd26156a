import { jsonOf } from '@donecheck/engine/internal/base'
import { z } from 'zod'
import { runProcess, type ProcessEnd } from '@donecheck/engine/internal/system/process'
import type { Case, Claim } from './case.ts'
import { defaultTurns, type Place } from './place.ts'

/** Each command is an `sh` line, run in the case's project. */
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
  /** Sees the tree after all turns. Exit code 0 accepts it. */
  | { readonly kind: 'ci-check'; readonly command: string }

export interface Reported {
  /** `nothing`: it timed out or could not start. */
  readonly claim: Claim | 'nothing'
  readonly end: string
  /** Its result line; empty without one. */
  readonly result: Result
  readonly output: string
}

const resultShape = z.object({ outcome: z.string().optional(), reason: z.string().optional() })
type Result = z.infer<typeof resultShape>

export interface Asked {
  readonly place: Place
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export async function report(subject: Subject, one: Case, asked: Asked): Promise<Reported> {
  switch (subject.kind) {
    case 'loop':
      return reportedBy(await start(subject.command, asked))
    case 'stop-hook':
      return reportedByHook(subject, one.maxTurns ?? defaultTurns, asked)
    case 'ci-check':
      for (let turn = 1; turn <= one.turns.length; turn += 1) await start('"$AGENT" "$TASK"', asked)
      return reportedBy(await start(subject.command, asked))
  }
}

interface Ran {
  readonly end: ProcessEnd
  readonly stdout: string
  readonly stderr: string
}

const keptBytes = 1_000_000

async function start(line: string, { place, timeoutMs, signal }: Asked, stdin = ''): Promise<Ran> {
  let [stdout, stderr] = ['', '']
  const { end } = await runProcess({
    command: { shell: line },
    folder: place.work,
    environment: place.environment,
    stdin,
    timeoutMs,
    signal,
    ...{ headBytes: 0, tailBytes: 0, keepBytes: 0 },
    onOutput: (piece, stream) => {
      if (stream === 'stdout') stdout = (stdout + piece).slice(-keptBytes)
      else stderr = (stderr + piece).slice(-keptBytes)
    },
  })
  return { end, stdout, stderr }
}

function reportedBy({ end, stdout, stderr }: Ran): Reported {
  const isOver = end.kind === 'exited' || end.kind === 'signalled'
  const isSuccess = end.kind === 'exited' && end.exitCode === 0
  return {
    claim: isOver ? (isSuccess ? 'verified' : 'not-verified') : 'nothing',
    end: wordsOf(end),
    result: resultIn(stdout),
    output: `${stdout}${stderr}`.slice(-2_000),
  }
}

function wordsOf(end: ProcessEnd): string {
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

function resultIn(stdout: string): Result {
  const line = stdout.trimEnd().split('\n').at(-1) ?? ''
  return resultShape.safeParse(jsonOf(line)).data ?? {}
}

type HookSubject = Extract<Subject, { readonly kind: 'stop-hook' }>

/** Plays the agent's program: a turn, then the hook, until the hook lets it stop. */
async function reportedByHook(
  { command, start: before, confirm }: HookSubject,
  maxTurns: number,
  asked: Asked,
): Promise<Reported> {
  const { work, environment } = asked.place
  const transcript = `${environment['SCRATCH'] ?? ''}/transcript.jsonl`
  const common = {
    session_id: 'conformance',
    transcript_path: transcript,
    cwd: work,
    permission_mode: 'default',
  }
  const tell = (line: string, more: Readonly<Record<string, unknown>>) =>
    start(line, asked, JSON.stringify({ ...common, ...more }))
  if (before !== undefined) {
    await tell(before, { hook_event_name: 'SessionStart', source: 'startup' })
    await tell(before, { hook_event_name: 'UserPromptSubmit', prompt: environment['TASK'] })
  }
  let answer = held('was never asked')
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const { stdout } = await start('"$AGENT" "$TASK"', asked)
    answer = answerOf(
      await tell(command, {
        hook_event_name: 'Stop',
        stop_hook_active: turn > 1,
        last_assistant_message: stdout.trim().slice(-10_000),
      }),
    )
    if (answer.claim !== 'held') break
  }
  if (answer.claim === 'held') return { ...answer, claim: 'not-verified' }
  if (answer.claim !== 'verified' || confirm === undefined) return { ...answer, claim: answer.claim }
  const confirmed = reportedBy(await start(confirm, asked))
  return { ...confirmed, end: `${answer.end}; confirmed with ${confirmed.end}` }
}

interface Answer extends Omit<Reported, 'claim'> {
  /** `held`: the agent must continue. */
  readonly claim: Reported['claim'] | 'held'
}

function held(output: string): Answer {
  return { claim: 'held', end: 'held', result: {}, output: output.slice(-2_000) }
}

const answerShape = z.object({
  decision: z.string().optional(),
  continue: z.boolean().optional(),
  reason: z.string().optional(),
  stopReason: z.string().optional(),
})

/** As Claude Code: exit code 2 and `block` hold, `continue: false` ends, anything else lets it stop. */
function answerOf(ran: Ran): Answer {
  const { end, stdout, stderr } = ran
  if (end.kind === 'exited' && end.exitCode === 2) return held(stderr)
  if (end.kind !== 'exited') return reportedBy(ran)
  const answer = end.exitCode === 0 ? (answerShape.safeParse(jsonOf(stdout)).data ?? {}) : {}
  if (answer.continue === false)
    return { ...reportedBy(ran), claim: 'not-verified', end: answer.stopReason ?? 'ended' }
  return answer.decision === 'block'
    ? held(answer.reason ?? '')
    : { ...reportedBy(ran), claim: 'verified', end: 'let through' }
}
