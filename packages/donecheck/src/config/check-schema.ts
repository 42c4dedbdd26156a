/** What can be configured about checks: which, how they are asked, what may be left out, and what is guarded. */
import { z } from 'zod'
import { checkSpec } from './checks/spec.ts'

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'the last day as YYYY-MM-DD is wanted')
  .refine((text) => !Number.isNaN(Date.parse(text)), 'there is no such day')
const said = z.string().trim().min(1, 'it must be said, for the record')
const waiver = { by: said, until: day, reason: said }
const share = z.number().min(0).max(1)

/** A command with more to say than its line. */
const check = z.strictObject({
  command: z.string(),
  name: z.string().exactOptional(),
  /** Default true: its verdict decides. */
  required: z.boolean().exactOptional(),
  weight: z.number().nonnegative().exactOptional(),
  timeoutSeconds: z.number().positive().exactOptional(),
  /** Further tries after a failure, to see whether it is flaky. */
  retryFailures: z.number().int().nonnegative().exactOptional(),
  /** Nothing else is checked meanwhile. */
  exclusive: z.boolean().exactOptional(),
  /** Globs: its verdict depends on no other file, so that it is taken again while these stay as they are. */
  inputs: z.array(z.string()).exactOptional(),
})

const line = z.string().transform((command): CheckConfig => ({ command }))
const checks = z.union([line.transform((one) => [one]), z.array(z.union([line, check]))])

/** One that stands alone is a list of it. */
export function listOf(given: unknown): unknown {
  return typeof given === 'string' ? [given] : given
}

export const checkFields = {
  /** Commands that must exit with 0. */
  until: checks,
  /** Checks of the project's own, found by its files. */
  presets: z.preprocess(listOf, z.array(z.enum(['tests', 'lint', 'typecheck', 'build']))),
  /** Checks that are no command: `KIND:TEXT`, or options with their `kind`. */
  checks: z.preprocess(listOf, z.array(checkSpec)),
  /** Commands that the agent is never shown; they run at the end only. */
  heldOut: checks,
  /** A folder outside of the project that is laid over a clean copy of it for the held-out checks. */
  heldOutFiles: z.string(),
  policy: z.union([
    z.enum(['deterministic-veto', 'all-required']),
    z.strictObject({
      weightedScore: z.strictObject({
        threshold: share,
        weights: z.record(z.string(), z.number()).exactOptional(),
      }),
    }),
    z.strictObject({ quorum: z.strictObject({ atLeast: z.number().int().positive() }) }),
  ]),
  /** Run the checks on the baseline's check side too, where that was changed. Default true. */
  tamperGuard: z.boolean(),
  /** Globs of further files that the agent may not change. */
  protect: z.array(z.string()),
  /** Globs of tests and the like that this task may change. */
  mayChange: z.array(z.string()),
  /** What becomes of work that is green only with changed checks: ask for authority (default), or end the run. */
  onTamper: z.enum(['ask', 'refuse']),
  waive: z.array(
    z.union([
      z.strictObject({ check: said, ...waiver }),
      z.strictObject({ rule: said, path: z.string().exactOptional(), ...waiver }),
      z.strictObject({ path: said, ...waiver }),
    ]),
  ),
  /** Checks that may be flaky meanwhile. */
  quarantine: z.array(z.strictObject({ check: said, ...waiver })),
  /** Checks that are believed although nothing shows that they can fail. */
  trustChecks: z.array(
    z.union([
      said.transform((check) => ({ check, by: 'whoever configured it' })),
      z.strictObject({ check: said, by: said }),
    ]),
  ),
  checkIn: z.enum(['work-folder', 'clean-copy']),
  /** What a clean copy does with node_modules and the like. */
  dependencies: z.enum(['link', 'copy', 'off']),
  /** A git revision, or a recorded baseline: what the work is compared with. */
  baseline: z.string(),
  preExisting: z.enum(['mend', 'not-worse']),
  retryFailures: z.number().int().nonnegative(),
  parallelChecks: z.number().int().positive(),
  /** Break the other checks off at the first failure that decides. Default false. */
  failFast: z.boolean(),
  /** Share of planted faults that the checks must find before their pass is believed. */
}

export type CheckConfig = z.output<typeof check>
