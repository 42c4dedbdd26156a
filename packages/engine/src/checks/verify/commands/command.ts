import { z } from 'zod'
import { assertText } from '../../../base/index.ts'
import type { Verifier, VerifierContext } from '../../../ports/checks.ts'
import { inheritedEnvironment } from '../../../system/process/index.ts'
import { interruptedReport, undecidedReport } from '../reports/reports.ts'
import { describeVerifier, namedOptions, readOptions } from '../reports/verifier-of.ts'
import { lineInCopy } from './line-in-copy.ts'
import { judgeEnd, type Before, type Rules } from './test-reports/judge-end.ts'
import type { KnownTest } from './test-reports/judge-tests.ts'
import { mayDropBy } from './test-reports/report.ts'
import { attachmentsOf, digestOfEnvironment, evidenceOf, type LineToRun } from './test-reports/run-asked.ts'
import { askPlainly, askWithCanary, type CanaryCheck } from './with-canary.ts'
import { asksForAbsence, isSuccessWritten } from './written-success.ts'

export const commandOptions = namedOptions.extend({
  /** Added to the environment of this process, from which variables named `DONECHECK_…` are left out. */
  environment: z.record(z.string(), z.string()).optional(),
  /** `auto` (default): the exit code decides, and a test report that can be read may turn a pass into a failure. `off`: the exit code alone. */
  tests: z.enum(['auto', 'off']).optional(),
  /**
   * Tests that failed on the baseline tree: `mend` (default): they must pass; `not-worse`: they may fail if no other
   * fails, is missing or newly skipped. It needs test counts.
   */
  preExisting: z.enum(['mend', 'not-worse']).optional(),
  /** Globs of files or names: these tests may vanish or be skipped although the baseline tree executed them. */
  mayDrop: z.array(z.string()).optional(),
})
export type CommandOptions = Readonly<z.infer<typeof commandOptions>>

/**
 * Runs a shell line in the work folder: exit code 0 is `passed`, any other `failed`. A known test runner is asked for
 * a report: no test run, a failed test, or a baseline test that is missing or newly skipped is `failed` whatever the
 * exit code. Not found, timed out, killed or interrupted: `error`. Times are milliseconds.
 * @throws {UsageError} for an empty line, which a shell calls a success, and for an unknown option
 */
export function command(line: string, given: CommandOptions = {}): Verifier {
  const options = readOptions(commandOptions, given, `the check "${line}"`)
  assertText(line, 'the command of a check', 'one such as "npm test"')
  const { timeoutMs, ...described } = describeVerifier(options.name ?? line, options)
  const { description } = described
  const { tests = 'auto', preExisting = 'mend', mayDrop = [] } = options
  const rules: Rules = {
    ...{ name: description.name, timeoutMs, tests, preExisting },
    mayDrop: mayDropBy(mayDrop),
    known: new Map<string, KnownTest>(),
  }
  const environmentNow = () => ({ ...inheritedEnvironment(), ...options.environment })
  return {
    ...described,
    get inputs() {
      return {
        definition: { kind: 'command', line, timeoutMs, tests, preExisting, mayDrop: [...mayDrop] },
        environmentDigest: digestOfEnvironment(environmentNow()),
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
      const run: LineToRun = {
        line: found.line,
        folder: workFolder,
        environment: { ...(context.cleanRoom?.environment ?? inheritedEnvironment()), ...found.environment },
        timeoutMs,
        signal,
        asks: rules.tests !== 'off',
        ...(context.onOutput === undefined ? {} : { onOutput: context.onOutput }),
      }
      const judge: CanaryCheck['judge'] = (ran, taken) => {
        const judged = judgeEnd(ran, taken, rules, before(context))
        const notes = found.notes.map((text) => ({ kind: 'note', text }) as const)
        return {
          ...judged,
          evidence: [...evidenceOf(ran), ...judged.evidence, ...notes],
          ...attachmentsOf(ran.result),
        }
      }
      const check = { name: description.name, run, judge }
      return isInCleanRoom(context) && run.asks ? askWithCanary(check) : askPlainly(check)
    },
    doubt: () => {
      if (isSuccessWritten(line)) return { kind: 'certain' }
      return asksForAbsence(line) ? undefined : { kind: 'unseen', line }
    },
  }
}

/** Only there may files be planted: the tree was laid for this run. The baseline tree has no work of the agent in it. */
function isInCleanRoom({ cleanRoom, workFolder, trigger }: VerifierContext): boolean {
  return workFolder !== null && cleanRoom?.folder === workFolder && trigger !== 'baseline'
}

/** A baseline that could not run sets no floor. */
function before({ trigger, baseline, mayBeGone }: VerifierContext): Before {
  const isDecided = baseline?.status === 'passed' || baseline?.status === 'failed'
  return { baseline: isDecided ? baseline : undefined, isBaseline: trigger === 'baseline', mayBeGone }
}
