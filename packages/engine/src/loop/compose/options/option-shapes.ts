/** What each option of a loop may be, for programs whose types nobody checks. Its keys and its meaning are read elsewhere. */
import { completeWhenChoices, undecidedChoices, verifyWhenChoices } from '@donecheck/core/base'
import { englishPrompts } from '@donecheck/core/prompts'
import { z } from 'zod'
import { assertShape } from '../../../base/index.ts'

const functionShape = z.custom<unknown>((value) => typeof value === 'function', 'must be a function')

/** An object with these methods, which may be inherited. */
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
const trusted = { check: z.string(), by: z.string() }
const waiver = z.looseObject({ ...trusted, until: z.string(), reason: z.string() })

const softVerifiers = z
  .looseObject({
    loopDetection: mode,
    stagnation: mode,
    tokenBudget: z.union([z.number(), z.literal(false), z.looseObject({})]),
    normaliseResult: functionShape,
    rules: z.array(functionShape),
  })
  .partial()

const verifyReplies = z.looseObject({
  judge: z.union([z.null(), judge, withMethods('a check', 'verify')]),
  rubric: z.string().optional(),
  timeoutMs: amount.optional(),
  verifyAll: z.boolean().optional(),
  keywords: texts.optional(),
  negations: texts.optional(),
  maxAttempts: z.number().optional(),
  onUndecided: z.enum(undecidedChoices).optional(),
  messagingTools: texts.optional(),
  streamsToUser: z.boolean().optional(),
  deliver: functionShape.optional(),
})

const guardChoices = z
  .looseObject({
    checkIn: z.enum(['work-folder', 'clean-copy']),
    dependencies: z.string(),
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
    asked: z.array(z.looseObject({})),
    home: z.string(),
  })
  .partial()

const gateChoices = z
  .looseObject({
    rules: z.array(z.looseObject({})),
    approval: z.union([z.string(), z.looseObject({})]),
    mode: z.string(),
    keep: z.looseObject({ file: z.string() }),
    homeFolder: z.string().nullable(),
    writableFolders: texts,
    protect: z.looseObject({
      protect: texts.optional(),
      mayChange: texts.optional(),
      checkCommands: texts.optional(),
    }),
    isForOneCall: z.boolean(),
    canBeMadeAgain: functionShape,
  })
  .partial()

const loopShape = z
  .looseObject({
    workFolder: z.string().nullable(),
    hardVerifiers: z.union([z.string(), z.array(check)]),
    addedCheck: functionShape,
    softVerifiers,
    verifyReplies,
    completeWhen: z.enum(completeWhenChoices),
    verifyWhen: z.enum(verifyWhenChoices),
    verifyAtCap: z.boolean(),
    finalSummary: z.boolean(),
    tools: z.array(z.looseObject({ name: z.string(), effect: z.string(), prepare: functionShape })),
    approver: withMethods('an approver', 'ask'),
    store: withMethods('a store', 'append', 'readAfter'),
    memory: withMethods('a memory', 'recall'),
    secrets: z.record(z.string(), z.string()),
    prompts: withMethods('prompts', ...Object.keys(englishPrompts)),
    signal: z.instanceof(AbortSignal),
    allowConcurrent: z.boolean(),
    maxModelAttempts: z.number().int().positive(),
    onText: functionShape,
    onOutput: functionShape,
    labels: texts,
    workspace: withMethods('a workspace', 'fingerprint'),
    clock: withMethods('a clock', 'nowMs', 'sleep'),
    ids: withMethods('a source of ids', 'next'),
    maxParallelChecks: z.number(),
    failFast: z.boolean(),
    recallVerdicts: z.boolean(),
    waive: z.array(waiver),
    quarantine: z.array(waiver),
    trustChecks: z.array(z.looseObject(trusted)),
    guard: z.union([z.literal(false), withMethods('a guard', 'prepare'), guardChoices]),
    power: z.looseObject({
      minPower: z.number().min(0).max(1).optional(),
      maxMutants: amount.optional(),
      maxSeconds: amount.optional(),
      maxSecondsPerFault: amount.optional(),
    }),
    hooks: z.looseObject({}),
    gate: z.union([withMethods('a gate', 'check'), gateChoices]),
  })
  .partial()

/** @throws {UsageError} naming the option, its value and what it may be */
export function assertLoopOptions(options: object, place: string): void {
  assertShape(loopShape, options, place)
}
