import { createHash } from 'node:crypto'
import { UsageError } from '../errors.ts'
import type { CommandEvidence, VerdictQualifier, VerdictStatus } from '../events/index.ts'
import type { Attachment, Verifier, VerifierReport } from '../ports.ts'
import { inheritedEnvironment, runProcess, type ProcessEnd, type ProcessResult } from '../process/index.ts'
import { askingOf, describeVerifier, timeoutOf, type VerifierOptions } from './describe-verifier.ts'
import { undecided } from './undecided.ts'

export interface CommandOptions extends VerifierOptions {
  /** Default: the line itself. */
  readonly name?: string
  /** Added to the environment of this process, from which variables named `DONECHECK_…` are left out. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Of each end of the output, kept in the verdict. */
const endBytes = 8 * 1024
/** Of a longer output, kept beside the verdict. */
const attachedBytes = 4 * 1024 * 1024

/**
 * A line for the shell, run in the work folder: exit code 0 is `passed`, any other is `failed`. Where it does not run
 * to its own end (not found, timed out, killed, interrupted) nothing is known: `error`.
 * @throws {UsageError} for an empty line, which the shell would call a success
 */
export function command(line: string, options: CommandOptions = {}): Verifier {
  if (line.trim() === '')
    throw new UsageError('a check needs a command, such as "npm test"; this one is empty')
  const description = describeVerifier(options.name ?? line, options)
  const timeoutMs = timeoutOf(options)
  return {
    description,
    ...askingOf(options),
    async verify({ workFolder }, signal) {
      if (workFolder === null) return undecided(`"${line}" has no work folder to run in; give the run one`)
      const environment = { ...inheritedEnvironment(), ...options.environment }
      const result = await runProcess({
        command: { shell: line },
        folder: workFolder,
        environment,
        timeoutMs,
        signal,
        headBytes: endBytes,
        tailBytes: endBytes,
        keepBytes: attachedBytes,
      })
      return {
        ...judgementOf(result.end, description.name, timeoutMs),
        canRetry: true,
        evidence: evidenceOf(result, line, workFolder, environment),
        ...attachmentsOf(result),
      }
    },
  }
}

interface CommandJudgement {
  readonly status: VerdictStatus
  readonly reason: string
  readonly qualifiers: readonly VerdictQualifier[]
}

function judgementOf(end: ProcessEnd, name: string, timeoutMs: number): CommandJudgement {
  switch (end.kind) {
    case 'exited':
      return judgementOfExit(end.exitCode, name)
    case 'signalled':
      return undecided(`${name} was killed by ${end.signal}`)
    case 'timed-out':
      return undecided(`${name} did not finish within ${timeoutMs / 1000} s`)
    case 'aborted':
      return undecided('interrupted')
    case 'not-started':
      return undecided(`${name} could not be started: ${end.problem}`, 'infrastructure')
  }
}

function judgementOfExit(exitCode: number, name: string): CommandJudgement {
  switch (exitCode) {
    case 0:
      return { status: 'passed', reason: `${name} passed (exit 0)`, qualifiers: [] }
    case 126:
      return undecided(
        `${name} could not be run (exit 126): its program may not be executed; make it executable, or correct the command`,
        'infrastructure',
      )
    case 127:
      return undecided(
        `${name} could not be run (exit 127): its program was not found; install it, or correct the command`,
        'infrastructure',
      )
    default:
      return { status: 'failed', reason: `${name} failed (exit ${exitCode})`, qualifiers: [] }
  }
}

function evidenceOf(
  { end, output }: ProcessResult,
  line: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): readonly CommandEvidence[] {
  if (end.kind === 'not-started') return []
  return [
    {
      kind: 'command',
      command: line,
      folder,
      exitCode: end.kind === 'exited' ? end.exitCode : null,
      signal: signalOf(end),
      timedOut: end.kind === 'timed-out',
      output,
      environmentDigest: digestOfEnvironment(environment),
    },
  ]
}

/** What we break off gets SIGTERM first. */
function signalOf(end: ProcessEnd): string | null {
  if (end.kind === 'signalled') return end.signal
  return end.kind === 'timed-out' || end.kind === 'aborted' ? 'SIGTERM' : null
}

function attachmentsOf({ output, whole }: ProcessResult): Pick<VerifierReport, 'attachments'> {
  if (output.omittedBytes === 0 || whole === undefined) return {}
  const attachment: Attachment = { digest: output.digest, content: whole }
  return { attachments: [attachment] }
}

/** SHA-256, hex, over the sorted lines `NAME=value`. */
function digestOfEnvironment(environment: Readonly<Record<string, string>>): string {
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}
