import { UsageError, assertKnownKeys, type OptionKeys } from '../../../base/index.ts'
import type { Verifier, VerifierContext } from '../../../ports/checks.ts'
import { inheritedEnvironment } from '../../../system/process/index.ts'
import {
  askingOf,
  describeVerifier,
  timeoutOf,
  type NamedOptions,
  namedKeys,
} from '../reports/verifier-of.ts'
import { lineInCopy } from './line-in-copy.ts'
import type { KnownTest } from './test-reports/compare-with-baseline.ts'
import { judgeEnd, type Rules, type Before } from './test-reports/judge-end.ts'
import { mayDropBy } from './test-reports/tests-evidence.ts'
import { attachmentsOf, digestOfEnvironment, evidenceOf, runAsked } from './test-reports/run-asked.ts'
import { interruptedReport, undecidedReport } from '../reports/reports.ts'
import { asksForAbsence, isSuccessWritten } from './written-success.ts'

export interface CommandOptions extends NamedOptions {
  /** Added to the environment of this process, from which variables named `DONECHECK_…` are left out. */
  readonly environment?: Readonly<Record<string, string>>
  /** `auto` (default): the exit code decides, and a test report that can be read may turn a pass into a failure. `off`: the exit code alone. */
  readonly tests?: 'auto' | 'off'
  /**
   * Tests that failed on the baseline tree: `mend` (default): they must pass too; `not-worse`: they may fail, as
   * long as no other fails, none is missing and none is newly skipped. Without counts of tests, such as for linters,
   * `not-worse` cannot be measured: a failure stays `failed`, and the reason says so.
   */
  readonly preExisting?: 'mend' | 'not-worse'
  /** Globs of files or names: these tests may vanish or be skipped although the baseline tree executed them. */
  readonly mayDrop?: readonly string[]
  /** What the verdict depends on. Default: the whole work tree. */
  readonly inputs?: {
    /** Globs relative to the work folder. */
    readonly files?: readonly string[]
  }
}

export const commandKeys: OptionKeys<CommandOptions> = {
  ...namedKeys,
  environment: true,
  tests: true,
  preExisting: true,
  mayDrop: true,
  inputs: true,
}

const inputKeys: OptionKeys<NonNullable<CommandOptions['inputs']>> = { files: true }

/**
 * A line for the shell, run in the work folder: exit code 0 is `passed`, any other is `failed`. A test runner that we
 * know is asked for its report: no test executed, a failed test, fewer tests than on the baseline tree and newly
 * skipped ones are `failed` whatever the exit code. A pass is believed if the check was seen to fail once (`doubt`).
 * Where a copy of the work tree is checked, the copy stands for the work folder in the line too. Where
 * it does not run to its own end (not found, timed out, killed, interrupted) nothing is known:
 * `error`. The times are milliseconds.
 * @throws {UsageError} for an empty line, which the shell would call a success, and for an unknown option
 */
export function command(line: string, options: CommandOptions = {}): Verifier {
  assertKnownKeys(options, commandKeys, `the check "${line}"`)
  if (typeof line !== 'string' || line.trim() === '')
    throw new UsageError('a check needs a command, such as "npm test"; this one is empty')
  assertKnownKeys(options.inputs ?? {}, inputKeys, 'inputs')
  const description = describeVerifier(options.name ?? line, options)
  const timeoutMs = timeoutOf(options)
  const { tests = 'auto', preExisting = 'mend', mayDrop = [] } = options
  const rules: Rules = {
    ...{ name: description.name, timeoutMs, tests, preExisting },
    mayDrop: mayDropBy(mayDrop),
    known: new Map<string, KnownTest>(),
  }
  const environmentNow = () => ({ ...inheritedEnvironment(), ...options.environment })
  return {
    description,
    ...askingOf(options),
    get inputs() {
      return {
        definition: { kind: 'command', line, timeoutMs, tests, preExisting, mayDrop: [...mayDrop] },
        environmentDigest: digestOfEnvironment(environmentNow()),
        readsAnswer: false,
        files: options.inputs?.files,
      }
    },
    async verify(context, signal) {
      const { workFolder } = context
      if (workFolder === null)
        return undecidedReport(`"${line}" has no work folder to run in; give the run one`)
      if (signal.aborted) return interruptedReport()
      const found = await lineInCopy({ line, environment: options.environment ?? {} }, context)
      if (found.kind === 'elsewhere')
        return undecidedReport(`${description.name} cannot be checked: ${found.reason}`, 'unverifiable')
      const ran = await runAsked({
        line: found.line,
        folder: workFolder,
        environment: { ...inheritedEnvironment(), ...found.environment },
        timeoutMs,
        signal,
        asks: rules.tests !== 'off',
        ...(context.onOutput === undefined ? {} : { onOutput: context.onOutput }),
      })
      try {
        const judged = await judgeEnd(ran, rules, before(context))
        const notes = found.notes.map((text) => ({ kind: 'note', text }) as const)
        return {
          ...judged,
          evidence: [...evidenceOf(ran), ...judged.evidence, ...notes],
          ...attachmentsOf(ran.result),
        }
      } finally {
        await ran.asked.dispose()
      }
    },
    doubt: () => {
      if (isSuccessWritten(line)) return { kind: 'certain' }
      return asksForAbsence(line) ? undefined : { kind: 'unseen', line }
    },
  }
}

/** A baseline that could not run sets no floor. */
function before({ trigger, baseline, mayBeGone }: VerifierContext): Before {
  const isDecided = baseline?.status === 'passed' || baseline?.status === 'failed'
  return { baseline: isDecided ? baseline : undefined, isBaseline: trigger === 'baseline', mayBeGone }
}
