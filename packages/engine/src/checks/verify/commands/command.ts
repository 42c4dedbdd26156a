import { z } from 'zod'
import { assertText } from '../../../base/index.ts'
import type { Verifier, VerifierContext } from '../../../ports/checks.ts'
import { inheritedEnvironment } from '../../../system/process/index.ts'
import { interruptedReport, undecidedResult } from '../reports/reports.ts'
import { describeVerifier, namedOptions, readOptions } from '../reports/verifier-of.ts'
import { lineInCopy } from './line-in-copy.ts'
import { judgeEnd, type Before, type Rules } from './test-reports/judge-end.ts'
import type { KnownTest } from './test-reports/judge-tests.ts'
import { mayDropBy } from './test-reports/report.ts'
import { attachmentsOf, digestOfEnvironment, evidenceOf, type LineToRun } from './test-reports/run-asked.ts'
import { askPlainly, askWithCanary, type CanaryCheck } from './with-canary.ts'
import { asksForAbsence, isSuccessWritten } from './written-success.ts'

export const commandOptions = namedOptions.extend({
  /** Added to this process's environment, from which `DONECHECK_…` variables are removed. */
  environment: z.record(z.string(), z.string()).optional(),
  /** `auto` (default): a test report may turn a pass into a failure. `off`: only the exit code counts. */
  tests: z.enum(['auto', 'off']).optional(),
  /** Failures of the baseline: `fix` (default) must pass; `tolerate` may fail if no other does. */
  preExisting: z.enum(['fix', 'tolerate']).optional(),
  /** Globs of files or names: these baseline tests may disappear or be skipped. */
  mayDrop: z.array(z.string()).optional(),
})
export type CommandOptions = Readonly<z.infer<typeof commandOptions>>

/**
 * Runs a shell line: exit 0 passes, unless the test report shows no test, a failure, or a lost baseline test.
 * Not started, timed out or killed: `error`. Milliseconds.
 * @throws {UsageError} for an empty line or unknown option
 */
export function command(line: string, given: CommandOptions = {}): Verifier {
  const options = readOptions(commandOptions, given, `the check "${line}"`)
  assertText(line, 'the command of a check', 'one such as "npm test"')
  const { timeoutMs, ...described } = describeVerifier(options.name ?? line, options)
  const { description } = described
  const { tests = 'auto', preExisting = 'fix', mayDrop = [] } = options
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
        return undecidedResult(`"${line}" has no work folder to run in; give the run one`)
      if (signal.aborted) return interruptedReport()
      const found = await lineInCopy({ line, environment: options.environment ?? {} }, context)
      if (found.kind === 'elsewhere')
        return undecidedResult(`${description.name} cannot be checked: ${found.reason}`, 'unverifiable')
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
      const isProbed = isInCleanRoom(context) && run.asks && context.isRepeated !== true
      return isProbed ? askWithCanary(check) : askPlainly(check)
    },
    doubt: () => {
      if (isSuccessWritten(line)) return { kind: 'certain' }
      return asksForAbsence(line) ? undefined : { kind: 'unseen', line }
    },
  }
}

/** Only there may donecheck plant files: that tree was written for this run. */
function isInCleanRoom({ cleanRoom, workFolder, trigger }: VerifierContext): boolean {
  return workFolder !== null && cleanRoom?.folder === workFolder && trigger !== 'baseline'
}

/** A baseline that could not run sets no minimum. */
function before({ trigger, baseline, mayBeGone }: VerifierContext): Before {
  const isDecided = baseline?.status === 'passed' || baseline?.status === 'failed'
  return { baseline: isDecided ? baseline : undefined, isBaseline: trigger === 'baseline', mayBeGone }
}
