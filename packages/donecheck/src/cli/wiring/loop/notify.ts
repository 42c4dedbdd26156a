import { given } from '@donecheck/engine/internal/base'
import { oneLine } from '@donecheck/core/internal/base'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { RunState } from '@donecheck/core/internal/state'
import { visibleLine } from '@donecheck/engine/internal/policy/approvals'
import {
  inheritedEnvironment,
  runProcess,
  type StartRequest,
} from '@donecheck/engine/internal/system/process'
import type { Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import type { Telemetry } from '@donecheck/engine/telemetry'

interface Notifier {
  event(event: RunEvent, state: RunState): void
  close(): Promise<void>
}

export type Schedule = (work: () => void, ms: number) => () => void

interface NotifierParts {
  readonly config: Config
  readonly workFolder: string
  readonly io: CliIo
  readonly notice: (message: string) => void
  readonly schedule?: Schedule
}

type Occasion = { readonly runId: string; readonly task: string; readonly text: string } & (
  | { readonly event: 'question' }
  | { readonly event: 'waiting'; readonly until: string }
  | { readonly event: 'ended'; readonly reason: string; readonly outcome: string }
)

/** By then a user at the terminal has answered. */
const awayMs = 10_000
const commandTimeoutMs = 10_000
const maxTextLength = 200

export function notifierOf({ schedule = scheduleLoosely, ...parts }: NotifierParts): Notifier {
  const { notify = true } = parts.config
  const jobs: Promise<void>[] = []
  let startedAtMs: number | undefined
  let callBack = (): void => undefined

  function tell(occasion: Occasion, isAway: boolean): void {
    if (!notify) return
    jobs.push(callCommand(occasion, parts))
    if (isAway) jobs.push(showToPerson(`${occasion.event}: ${occasion.text}`, parts))
  }

  return {
    event(event, { runId, task }) {
      startedAtMs ??= event.timeMs
      if (event.type === 'approval-requested')
        callBack = schedule(
          () => tell({ event: 'question', runId, task, text: event.question }, true),
          awayMs,
        )
      if (event.type === 'wait-started' && event.for === 'limit')
        tell(
          { event: 'waiting', runId, task, until: new Date(event.untilMs).toISOString(), text: event.reason },
          true,
        )
      if (event.type === 'approval-given' || event.type === 'run-stopped') callBack()
      if (event.type !== 'run-stopped' || event.transition.reason === 'user_interrupt') return
      const { reason, outcome, message } = event.transition
      tell(
        { event: 'ended', runId, task, reason, outcome, text: message },
        event.timeMs - startedAtMs >= awayMs,
      )
    },
    async close() {
      callBack()
      await Promise.all(jobs)
    },
  }
}

function scheduleLoosely(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms).unref()
  return () => clearTimeout(timer)
}

/** Passes text as JSON on standard input, never on the command line. */
async function callCommand(
  occasion: Occasion,
  { config: { notifyCommand }, workFolder, io, notice }: NotifierParts,
): Promise<void> {
  if (notifyCommand === undefined) return
  const command = { shell: notifyCommand }
  const problem = await run(command, workFolder, io, `${JSON.stringify(occasion)}\n`)
  if (problem !== undefined) notice(`notifyCommand ${problem}`)
}

/** Uses the desktop or the terminal; skips pipes and CI. */
async function showToPerson(text: string, { workFolder, io }: NotifierParts): Promise<void> {
  const { stderr, environment } = io
  if (stderr.isTTY !== true || (environment['CI'] ?? '') !== '') return
  const line = oneLine(visibleLine(text), maxTextLength)
  const isShown = hasDesktop(environment) && (await run(notifySend(line), workFolder, io)) === undefined
  if (!isShown) stderr.write(terminalNotification(line, environment))
}

/** A remote desktop is not this user's. */
function hasDesktop(environment: CliIo['environment']): boolean {
  const isHere = environment['SSH_CONNECTION'] === undefined
  return isHere && (environment['DISPLAY'] ?? environment['WAYLAND_DISPLAY'] ?? '') !== ''
}

/** Desktops parse markup. */
function notifySend(line: string): StartRequest['command'] {
  const plain = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return { words: ['notify-send', '--app-name=donecheck', '--', 'donecheck', plain] }
}

/** OSC 777 if known, otherwise OSC 9. */
function terminalNotification(line: string, environment: CliIo['environment']): string {
  const { TERM: terminal = '', VTE_VERSION: vte } = environment
  if (terminal === 'dumb' || terminal === 'linux') return ''
  const knows777 = vte !== undefined || /^(?:rxvt|foot)/u.test(terminal)
  return knows777 ? `\u001b]777;notify;donecheck;${line}\u0007` : `\u001b]9;donecheck: ${line}\u0007`
}

/** @returns undefined on success */
async function run(
  command: StartRequest['command'],
  folder: string,
  { environment }: CliIo,
  stdin?: string,
): Promise<string | undefined> {
  const { end } = await runProcess({
    command,
    folder,
    environment: inheritedEnvironment(environment),
    ...given({ stdin }),
    timeoutMs: commandTimeoutMs,
    signal: new AbortController().signal,
    ...{ headBytes: 0, tailBytes: 0, keepBytes: 0 },
  })
  switch (end.kind) {
    case 'exited':
      return end.exitCode === 0 ? undefined : `ended with ${end.exitCode}`
    case 'signalled':
      return `was ended by ${end.signal}`
    case 'timed-out':
    case 'aborted':
      return `took longer than ${commandTimeoutMs / 1000} s`
    case 'not-started':
      return `was not started: ${end.problem}`
  }
}

export async function openTelemetry(
  { environment }: CliIo,
  notice: (message: string) => void,
): Promise<Telemetry | undefined> {
  if (!Object.keys(environment).some((name) => name.startsWith('OTEL_'))) return undefined
  const { startTelemetry } = await import('@donecheck/engine/telemetry')
  return startTelemetry(environment, notice)
}
