/** Validates options for callers without types. */
import { completeWhenChoices, undecidedChoices, verifyWhenChoices } from '@donecheck/core/internal/base'
import { englishPrompts } from '@donecheck/core/internal/decide/prompts'
import { z } from 'zod'
import { realpathSync, statSync } from 'node:fs'
import { UsageError } from '../../../base/index.ts'
import { functionShape } from '../../../ports/options.ts'
import { gateChoices } from '../../../policy/gate/index.ts'
import { isInside } from '../../../system/store/index.ts'

const mostAttempts = 10

/** Accepts inherited methods. */
function withMethods(what: string, ...names: readonly string[]) {
  const hasAll = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === 'function')
  return z.custom<unknown>(hasAll, `must be ${what}: an object with ${names.join(', ')}`)
}

const texts = z.array(z.string())
const amount = z.number().positive()
const judge = withMethods('a judge', 'judge')
const check = z.union([z.string(), functionShape, withMethods('a check', 'verify')])
const mode = z.union([z.boolean(), z.string(), z.looseObject({})])
const filled = z.string().refine((text) => text.trim() !== '', 'must not be empty')
const trusted = z.strictObject({ check: filled, by: filled })
const waiver = trusted.extend({ until: z.iso.date('must be the last day as YYYY-MM-DD'), reason: filled })
const attempts = z.int().min(1).max(mostAttempts)
const waitMs = z.number().nonnegative()

const maxTags = 20
const tag = z
  .string()
  .refine(
    (text) => text.trim() === text && text !== '' && text.length <= 80 && !/\p{C}/u.test(text),
    'must be one line of 1 to 80 characters',
  )

const softVerifiers = z
  .strictObject({
    loopDetection: mode,
    stagnation: mode,
    tokenBudget: z.union([z.number(), z.literal(false), z.looseObject({})]),
    rules: z.array(functionShape),
  })
  .partial()

const verifyReplies = z.strictObject({
  judge: z.union([z.null(), judge, withMethods('a check', 'verify')]),
  rubric: z.string().optional(),
  timeoutMs: amount.optional(),
  verifyAll: z.boolean().optional(),
  keywords: texts.optional(),
  negations: texts.optional(),
  maxAttempts: attempts.optional(),
  onUndecided: z.enum(undecidedChoices).optional(),
  messagingTools: texts.optional(),
  streamsToUser: z.boolean().optional(),
  deliver: functionShape.optional(),
})

const guardChoices = z
  .strictObject({
    checkIn: z.enum(['work-folder', 'clean-room']),
    protect: texts,
    mayChange: texts,
    checkCommands: texts,
    onTamper: z.enum(['ask', 'refuse']),
    waivers: z.array(
      z.looseObject({ until: z.string(), rule: z.string().optional(), path: z.string().optional() }),
    ),
    baseline: z.string(),
    snapshotRunId: z.string(),
    snapshotFolder: z.string(),
    heldOutFiles: z.string(),
    home: z.string(),
  })
  .partial()

/** The options of a loop whose agent is driven by its host. */
export const hostedLoopOptions = z
  .strictObject({
    workFolder: z.string().nullable(),
    hardVerifiers: z.union([z.string(), z.array(check)]),
    addedCheck: functionShape,
    softVerifiers,
    /** Explained by `capsOf`, which a sub-run calls with other defaults. */
    hardCap: z.unknown(),
    /** Explained by `toAggregator`. */
    aggregate: z.unknown(),
    recipe: z.unknown(),
    verifyReplies,
    completeWhen: z.enum(completeWhenChoices),
    verifyWhen: z.enum(verifyWhenChoices),
    verifyAtCap: z.boolean(),
    approver: withMethods('an approver', 'ask'),
    store: withMethods('a store', 'append', 'readAfter'),
    memory: withMethods('a memory', 'recall'),
    secrets: z.record(z.string(), z.string()),
    prompts: withMethods('prompts', ...Object.keys(englishPrompts)),
    signal: z.instanceof(AbortSignal),
    onText: functionShape,
    onOutput: functionShape,
    providerWaits: z.strictObject({ providerMs: waitMs, limitMs: waitMs }).partial(),
    tags: z.array(tag).max(maxTags),
    workspace: withMethods('a workspace', 'fingerprint'),
    clock: withMethods('a clock', 'nowMs', 'sleep'),
    ids: withMethods('a source of ids', 'next'),
    maxParallelChecks: z.int().positive(),
    failFast: z.boolean(),
    recallVerdicts: z.boolean(),
    waive: z.array(waiver),
    quarantine: z.array(waiver),
    trustChecks: z.array(trusted),
    guard: z.union([z.literal(false), withMethods('a guard', 'prepare'), guardChoices]),
    hooks: z.looseObject({}),
    gate: z.union([withMethods('a gate', 'check'), gateChoices]),
  })
  .partial()

export const driverlessLoopOptions = hostedLoopOptions.extend({
  tools: z.array(z.looseObject({ name: z.string(), effect: z.string(), prepare: functionShape })).optional(),
  finalSummary: z.boolean().optional(),
  allowConcurrent: z.boolean().optional(),
})

/** @throws {UsageError} if it is not a folder */
export function resolveWorkFolder(folder: string | null): string | null {
  if (folder === null) return null
  try {
    const real = realpathSync(folder)
    if (statSync(real).isDirectory()) return real
  } catch {
    throw new UsageError(`the work folder ${folder} does not exist; create it, or name another`)
  }
  throw new UsageError(`the work folder ${folder} is not a folder`)
}

/**
 * The agent could edit its record there; reading a database as a file also drops SQLite locks.
 * @throws {UsageError}
 */
export function assertStoreOutside(storeFolder: string | null, workFolder: string | null): void {
  if (storeFolder === null || workFolder === null || !isInside(storeFolder, workFolder)) return
  throw new UsageError(
    `the store ${storeFolder} is inside the work folder ${workFolder}; open one in a folder outside of it`,
  )
}
