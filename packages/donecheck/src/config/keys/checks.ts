import { z } from 'zod'
import { checkSpec, checkKindNames } from '../checks/spec.ts'
import { flag } from './flag.ts'

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'the last day as YYYY-MM-DD is wanted')
  .refine((text) => !Number.isNaN(Date.parse(text)), 'there is no such day')
const said = z.string().trim().min(1, 'it must be said, for the record')
const waiver = { by: said, until: day, reason: said }
const share = z.number().min(0).max(1)

const check = z.strictObject({
  command: z.string(),
  name: z.string().exactOptional(),
  /** Default true. */
  required: z.boolean().exactOptional(),
  weight: z.number().nonnegative().exactOptional(),
  timeoutSeconds: z.number().positive().exactOptional(),
  /** Retries after a failure, to find flaky checks. */
  retryFailures: z.number().int().nonnegative().exactOptional(),
  /** Runs alone. */
  exclusive: z.boolean().exactOptional(),
})

export type CheckConfig = z.output<typeof check>

const line = z.string().transform((command): CheckConfig => ({ command }))
const checks = z.union([line.transform((one) => [one]), z.array(z.union([line, check]))])
const list = { isList: true }

export function listOf(given: unknown): unknown {
  return typeof given === 'string' ? [given] : given
}

export const checkKeys = {
  until: flag('checks', '-u, --until <command>', checks, 'must exit with 0 (repeatable)', list),
  presets: flag(
    'checks',
    '-p, --preset <name>',
    z.preprocess(listOf, z.array(z.enum(['tests', 'lint', 'typecheck', 'build']))),
    "a check of the project's own: tests, lint, typecheck, build (repeatable)",
    list,
  ),
  checks: flag(
    'checks',
    '--check <kind:text>',
    z.preprocess(listOf, z.array(checkSpec)),
    `what is no command, such as http:http://localhost:3000/health (repeatable); kinds: ${checkKindNames.join(', ')} (the last four with JSON: all:{"of":[…]})`,
    list,
  ),
  heldOut: flag(
    'checks',
    '--held-out <command>',
    checks,
    'a check that the agent is never shown; it runs at the end (repeatable)',
    list,
  ),
  heldOutFiles: z
    .string()
    .describe('a folder outside of the project that is laid over a clean copy of it for the held-out checks'),
  aggregate: z
    .union([
      z.enum(['deterministic-veto', 'all-required']),
      z.strictObject({
        weightedScore: z.strictObject({
          threshold: share,
          weights: z.record(z.string(), z.number()).exactOptional(),
        }),
      }),
      z.strictObject({ quorum: z.strictObject({ atLeast: z.number().int().positive() }) }),
    ])
    .describe('how verdicts become one (default: deterministic-veto)'),
  tamperGuard: z
    .boolean()
    .describe("run the checks on the baseline's check files too, if that was changed (default: true)"),
  protect: z.array(z.string()).describe('globs of further files that the agent may not change'),
  mayChange: flag(
    'checks',
    '--may-change <glob>',
    z.array(z.string()),
    'tests and the like that this task may change (repeatable)',
    list,
  ),
  onTamper: z
    .enum(['ask', 'refuse'])
    .describe('work that is green only with changed checks: ask for authority (default), or end the run'),
  waive: z
    .array(
      z.union([
        z.strictObject({ check: said, ...waiver }),
        z.strictObject({ rule: said, path: z.string().exactOptional(), ...waiver }),
        z.strictObject({ path: said, ...waiver }),
      ]),
    )
    .describe('findings, checks or paths that somebody lets pass until a day (YYYY-MM-DD, UTC)'),
  quarantine: z
    .array(z.strictObject({ check: said, ...waiver }))
    .describe('checks that may be flaky until a day (YYYY-MM-DD, UTC)'),
  trustChecks: flag(
    'checks',
    '--trust-check <name>',
    z.array(
      z.union([
        said.transform((name) => ({ check: name, by: 'whoever configured it' })),
        z.strictObject({ check: said, by: said }),
      ]),
    ),
    'believe this check although nothing shows that it can fail (repeatable)',
    list,
  ),
  checkIn: flag(
    'checks',
    '--check-in <where>',
    z.enum(['clean-room', 'work-folder']),
    'where checks decide (default: clean-room, if they report the same there)',
  ),
  baseline: flag(
    'checks',
    '--baseline <revision>',
    z.string(),
    'compare with a git revision, or a recorded baseline (its run id, or last)',
  ),
  preExisting: flag(
    'checks',
    '--pre-existing <how>',
    z.enum(['fix', 'tolerate']),
    'failures that were there before: mend them too (default), or let it not get worse',
  ),
  verifyTimeoutSeconds: flag(
    'checks',
    '--verify-timeout <seconds>',
    z.number().positive(),
    'for one check; one that does not finish is an error (default: 300)',
  ),
  retryFailures: z.number().int().nonnegative().describe('further tries of a check that failed (default: 0)'),
  parallelChecks: z.number().int().positive().describe('checks at a time (default: 2)'),
  failFast: z
    .boolean()
    .describe('break the other checks off at the first failure that decides (default: false)'),
}
