/** How a turn of opencode has ended: by its last step, its exit code and what it printed on stderr. */
import {
  configurationFailure,
  failedTurn,
  notBegun,
  notStarted,
  providerFailure,
  withoutColours,
  type LineTranslator,
  type LinesEnd,
  type TurnEnded,
} from '../../protocol/stream/index.ts'

export interface OpencodeError {
  readonly name: string
  readonly message: string
  /** Of HTTP, where the model's provider said no. */
  readonly status?: number
}

export interface OpencodeTurn {
  readonly hasBegun: boolean
  readonly finish: string | undefined
  readonly error: OpencodeError | undefined
}

type End = ReturnType<LineTranslator['end']>

/**
 * @param hasBegun it has told of its session: its program, its words and its settings work
 * @param finish why the last step ended; undefined: none did
 * @param error the last one, unless it went on afterwards
 */
export function endOfTurn(end: LinesEnd, { hasBegun, finish, error }: OpencodeTurn): End {
  const missing = notStarted('opencode', end)
  if (missing !== undefined) return missing
  if (/session not found/i.test(end.stderrTail) && finish === undefined)
    return { kind: 'session-lost', message: 'opencode does not know the session any more' }
  if (error !== undefined) return withError(error)
  const { exitCode } = end
  const unborn = notBegun('opencode', end, hasBegun)
  if (unborn !== undefined) return failedTurn(unborn)
  if (exitCode !== 0) return problem(`opencode did not finish its turn: ${end.problem}`)
  switch (finish) {
    case 'stop':
      return { kind: 'turn-ended', text: '' }
    case 'length':
      return { kind: 'turn-ended', text: '', wasCutOff: true }
    case undefined:
      return problem(`opencode ended without a word of its model${saidOnStderr(end)}`)
    case 'tool-calls':
      return problem(`opencode ended its turn after a call, without an answer${saidOnStderr(end)}`)
    default:
      return problem(`the model's last reply ended with "${finish}"${saidOnStderr(end)}`)
  }
}

/** Where nobody can be asked, it refuses what it should ask for, and ends: only stderr tells. */
function saidOnStderr({ stderrTail }: LinesEnd): string {
  const said = withoutColours(stderrTail).trim()
  return said === '' ? '' : `; it said: ${said.slice(-2000).toWellFormed()}`
}

function withError({ name, message, status }: OpencodeError): TurnEnded {
  const said = `opencode ended its turn with ${name}: ${message}`
  if (status !== undefined && status >= 400) return failedTurn(providerFailure(status, said))
  if (name === 'ProviderAuthError')
    return failedTurn(configurationFailure(`${said}. Log in with: opencode auth login`))
  return problem(said)
}

function problem(said: string): TurnEnded {
  return { kind: 'turn-ended', text: '', problem: said }
}
