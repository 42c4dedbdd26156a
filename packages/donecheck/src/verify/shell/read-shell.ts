import { toldBy, type Effect, type Loss } from './effect.ts'
import { evaluateText } from './evaluate.ts'
import { programKind } from './kinds.ts'
import { plainForm } from './plain-form.ts'
import { newReading, newShell, type Invocation, type Reading } from './shell-state.ts'

/** A line whose exit code does not tell of the check. */
export interface MaskedExit {
  /** One sentence that names the part. */
  readonly reason: string
  /** Where that part stands, such as `package.json scripts.test`; undefined: in the line itself. */
  readonly where?: string
}

export interface ShellReading {
  readonly masked: MaskedExit | undefined
  /** The programs that the text runs, in order. */
  readonly invocations: readonly Invocation[]
  /** Whatever it runs, it ends with success: it runs nothing but the likes of `true` and `echo`. */
  readonly cannotFail: boolean
}

export interface ReadingOptions {
  /** Of the shell that reads it, from its start. Default false. */
  readonly errexit?: boolean
  readonly pipefail?: boolean
  /**
   * A text of many steps, most of which prepare something: of what is forgotten between its steps only certain checks
   * are minded. Default false: a line.
   */
  readonly isScript?: boolean
}

/**
 * Whether the exit code of a line for the shell hides a failure of what it runs. A line that cannot be read hides it.
 * Pure: scripts that the line runs are not looked into (see `maskedExitOf`).
 */
export function maskedExit(line: string): MaskedExit | undefined {
  return readShell(line).masked
}

/** The same of a shell script. */
export function maskedScript(
  text: string,
  options: Omit<ReadingOptions, 'isScript'> = {},
): MaskedExit | undefined {
  return readShell(text, { ...options, isScript: true }).masked
}

export function readShell(text: string, options: ReadingOptions = {}): ShellReading {
  const reading = readAsWritten(text, options)
  const plain = reading.masked === undefined ? undefined : plainForm(text)
  if (plain === undefined) return reading
  const again = readAsWritten(plain, options)
  const hasCheck = again.invocations.some(({ words }) => programKind(words) === 'check')
  return again.masked === undefined && hasCheck ? again : reading
}

function readAsWritten(text: string, options: ReadingOptions): ShellReading {
  const { isScript = false, errexit = false, pipefail = false } = options
  const reading = newReading()
  const effect = evaluateText(text, { ...newShell(reading, evaluateText), errexit, pipefail })
  const reason = reasonOf(effect, reading, isScript)
  return {
    masked: reason === undefined ? undefined : { reason },
    invocations: reading.invocations,
    cannotFail: effect.exit === 'zero' && toldBy(effect).length === 0,
  }
}

function reasonOf(effect: Effect, { unreadable, trap }: Reading, isScript: boolean): string | undefined {
  if (unreadable !== undefined) return `its exit code cannot be trusted: ${unreadable}`
  if (trap !== undefined) return `its exit code hides every failure: "${trap}" ends it with success`
  const loss = decisiveLoss(effect, isScript)
  return loss && `its exit code hides a failure of "${loss.check.text}": it ${loss.how}`
}

function decisiveLoss(effect: Effect, isScript: boolean): Loss | undefined {
  const told = toldBy(effect)
  const heard = new Set(told.flatMap(({ origin, isAlwaysRun }) => (isAlwaysRun ? [origin] : [])))
  const lost = lossesAtTheEnd(effect).filter(({ check }) => !heard.has(check.origin))
  const hasCheck = told.some(({ kind, isAlwaysRun }) => kind === 'check' && isAlwaysRun)
  const hasAnswer = hasCheck || told.some(({ kind }) => kind === 'condition')
  const minded = (loss: Loss) => {
    if (loss.check.kind === 'check')
      return !isScript || loss.check.isKnown || !hasCheck || !['sequence', 'background'].includes(loss.cause)
    if (loss.check.kind === 'condition') return !hasAnswer
    return told.length === 0 && loss.cause === 'or'
  }
  return lost.find(minded) ?? skipped(effect, hasCheck)
}

function lossesAtTheEnd({ inverted, held, lost }: Effect): readonly Loss[] {
  return [
    ...lost,
    ...inverted.flatMap((check): readonly Loss[] =>
      check.kind === 'check' ? [{ check, cause: 'negation', how: 'is turned into a success by "!"' }] : [],
    ),
    ...held.map((check): Loss => ({
      check,
      cause: 'sequence',
      how: 'is kept in a variable and not asked for',
    })),
  ]
}

/** Every check of it stands under a condition, so that all of them may be left out. */
function skipped(effect: Effect, hasCheck: boolean): Loss | undefined {
  const conditional = toldBy(effect).find(({ kind }) => kind === 'check')
  if (hasCheck || conditional === undefined) return undefined
  return {
    check: conditional,
    cause: 'branch',
    how: 'is only run under a condition, and passes where it is not run',
  }
}
