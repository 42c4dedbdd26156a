/** One command is asked on one occasion. */
import type { HookPoint } from '@donecheck/core/gate'
import { messageOf } from '../../../base/index.ts'
import { oneLine } from '@donecheck/core/base'
import type { HookInputs } from '../../../ports/callbacks.ts'
import { assertScriptsUnchanged, type ScriptDigests } from './hook-scripts.ts'
import { runProcess } from '../../../system/process/index.ts'

export interface CommandPlace {
  /** Where it is run: the work folder. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** The scripts of the commands as they were when the run began. */
  readonly scripts: ScriptDigests
}

interface Occasion {
  readonly command: string
  readonly point: HookPoint
  readonly input: HookInputs[HookPoint]
  readonly signal: AbortSignal
}

/** Of an answer: arguments and outputs may be long. */
const maxAnswerBytes = 4_000_000
const maxReasonCharacters = 2_000

/** @throws {TypeError} for whatever is neither an answer nor a refusal: the hook has failed */
export async function askCommand(
  { command, point, input, signal }: Occasion,
  { folder, environment, scripts }: CommandPlace,
): Promise<unknown> {
  assertScriptsUnchanged(command, folder, scripts)
  let complaint = ''
  const { end, stdout } = await runProcess({
    command: { shell: command },
    folder,
    environment,
    // The history is a function, which JSON leaves out.
    stdin: `${JSON.stringify({ point, ...input, signal: undefined })}\n`,
    // The pipeline bounds it, and aborts the signal.
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
