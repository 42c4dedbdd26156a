/** Commands as hooks: JSON in, JSON out. */
import { oneLine } from '@donecheck/core/internal/base'
import type { HookPoint } from '@donecheck/core/internal/events/gate'
import { messageOf } from '../../base/index.ts'
import type { HookInputs } from '../../ports/callbacks.ts'
import { runProcess } from '../../system/process/index.ts'
import { readAnswer } from './answers.ts'
import { assertScriptsUnchanged, type ScriptDigests } from './hook-scripts.ts'
import type { HookLists, HookRegistration, NameMatch } from './registration.ts'

export interface CommandHook extends Pick<
  HookRegistration,
  'name' | 'point' | 'priority' | 'timeoutMs' | 'onFailure' | 'mode'
> {
  readonly command: string
  readonly match?: NameMatch
}

/** Longer than for functions: the command has to start. */
const defaultTimeoutMs = 30_000

/** Stdin is the input as JSON. Exit 0: stdout is the answer; exit 2: refused, with stderr as reason. */
export function commandHooks(commands: readonly CommandHook[], place: CommandPlace): HookLists {
  function at<Point extends HookPoint>(point: Point): readonly HookRegistration<Point>[] {
    return commands
      .filter((given) => given.point === point)
      .map(({ command, ...given }) => ({
        timeoutMs: defaultTimeoutMs,
        ...given,
        point,
        run: async (input, signal) =>
          readAnswer(point, await askCommand({ command, point, input, signal }, place)),
      }))
  }
  return {
    tools: [...at('before_tool_call'), ...at('after_tool_call'), ...at('tool_result_persist')],
    verifiers: [...at('before_verification'), ...at('after_verification'), ...at('before_finalize')],
    lifecycle: [
      ...[...at('run_started'), ...at('before_turn'), ...at('after_turn'), ...at('on_transition')],
      ...[...at('on_error'), ...at('run_ended')],
    ],
  }
}

interface CommandPlace {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly scripts: ScriptDigests
}

interface Occasion {
  readonly command: string
  readonly point: HookPoint
  readonly input: HookInputs[HookPoint]
  readonly signal: AbortSignal
}

/** Arguments and outputs may be long. */
const maxAnswerBytes = 4_000_000
const maxReasonCharacters = 2_000

/** @throws {TypeError} unless it is an answer or a refusal */
async function askCommand(
  { command, point, input, signal }: Occasion,
  { folder, environment, scripts }: CommandPlace,
): Promise<unknown> {
  assertScriptsUnchanged(command, folder, scripts)
  let complaint = ''
  const { end, stdout } = await runProcess({
    command: { shell: command },
    folder,
    environment,
    // JSON omits the history, which is a function.
    stdin: `${JSON.stringify({ point, ...input, signal: undefined })}\n`,
    // The pipeline limits the time and aborts the signal.
    timeoutMs: null,
    signal,
    headBytes: maxAnswerBytes,
    tailBytes: 0,
    keepBytes: 0,
    onOutput: (piece, stream) => {
      if (stream === 'stderr' && complaint.length < maxReasonCharacters) complaint += piece
    },
  })
  const reason = complaint.trim().slice(0, maxReasonCharacters)
  switch (end.kind) {
    case 'exited':
      if (end.exitCode === 0) return answerIn(stdout.head, stdout.omittedBytes)
      if (end.exitCode === 2) return refusalAt(point, reason)
      throw new TypeError(`exit ${end.exitCode}${reason === '' ? '' : `: ${oneLine(reason, 300)}`}`)
    case 'signalled':
      throw new TypeError(`it was killed by ${end.signal}`)
    case 'not-started':
      throw new TypeError(end.problem)
    case 'timed-out':
    case 'aborted':
      throw new TypeError('it was broken off')
  }
}

function answerIn(text: string, omittedBytes: number): unknown {
  if (omittedBytes > 0) throw new TypeError(`its answer is longer than ${maxAnswerBytes} bytes`)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new TypeError(`what it printed is no JSON: ${messageOf(error)}`, { cause: error })
  }
}

function refusalAt(point: HookPoint, complaint: string): object {
  const reason = complaint === '' ? 'it gave no reason (exit 2)' : complaint
  switch (point) {
    case 'before_tool_call':
      return { decision: 'forbidden', reason }
    case 'after_verification':
    case 'before_finalize':
      return { veto: reason }
    default:
      throw new TypeError(`exit 2, and nothing can be refused at ${point}: ${oneLine(reason, 300)}`)
  }
}
