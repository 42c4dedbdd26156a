/** A model as judge: one question with everything in it, no tools, no session, nothing written. */
import { canonicalJson, familyOf } from '@donecheck/core/base'
import { maskText, type SecretValues } from '@donecheck/core/secrets'
import { judgeCategories } from '@donecheck/core/verdicts'
import { UsageError, assertKnownKeys, given, optionKeys, sha256 } from '../../base/index.ts'
import type { Judge, JudgeAnswer } from '../../ports/judges.ts'
import type { ResolvedModel } from '../../system/models/index.ts'
import {
  type Spending,
  callJudge,
  type JudgeCall,
  type ModelToAsk,
  askedModelKeys,
  askedModel,
} from './call-judge.ts'
import { assembleContext, type RuleText, changesIn } from './context.ts'
import { instructionsOf, verdictWords, parseVerdict, seedOf, shuffleItems } from './verdict.ts'

export interface ModelJudgeOptions extends ModelToAsk {
  /** For people. Default: the model's name. */
  readonly name?: string
  /** Shown as rules that the answer must keep; see `readProjectRules`. */
  readonly rules?: readonly RuleText[]
  /** Faults that a failure may name beside the usual ones. */
  readonly categories?: readonly string[]
  /** Milliseconds for the whole question, further tries included. Default 30,000. */
  readonly timeoutMs?: number
  /** Of one question, the first included. Default 3. */
  readonly tries?: number
  /** Thoughts included. Default 4,096. */
  readonly maxOutputTokens?: number
  /** Shuffles the choices in the prompt. Default: made from the case, so that the same case reads the same way. */
  readonly seed?: number
  /** Masked before anything is sent, with whatever has the shape of a secret. */
  readonly secrets?: SecretValues
}

const keys = {
  ...askedModelKeys,
  ...optionKeys<Omit<ModelJudgeOptions, keyof ModelToAsk>>()(
    'name rules categories timeoutMs tries maxOutputTokens seed secrets',
  ),
}

/** Characters of instructions and context together. */
const maxPromptLength = 32_000

/**
 * A model that judges whether a rubric is met, for `judgedBy`. Without a key, server, timely answer, readable verdict
 * or money it abstains: never a pass.
 * @throws {UsageError} for an invalid name or bound, or a cap on cost if the price is unknown
 */
export function modelJudge(options: ModelJudgeOptions): Judge {
  assertKnownKeys(options, keys, 'modelJudge')
  const { timeoutMs = 30_000, tries = 3, maxOutputTokens = 4096 } = options
  const asked = askedModel(options, { timeoutMs, tries, maxOutputTokens })
  const { prices, account } = asked
  const modelName = asked.name
  const { name = modelName, rules = [], secrets = {}, seed: givenSeed } = options
  const categories = [...new Set([...judgeCategories, ...(options.categories ?? [])])]
  const template = instructionsOf({ rubric: '', categories, verdicts: verdictWords, nonce: '' })
  const resolved = once(() => resolvedOrProblem(asked.resolve))
  const family = familyOf(modelName)

  return {
    name,
    ...given({ family }),
    identity: sha256(canonicalJson({ model: modelName, baseUrl: options.baseUrl ?? null, template })),
    async judge(request, signal) {
      const { rubric, events, minScore } = request
      const seed = givenSeed ?? seedOf(sha256(canonicalJson([name, rubric, request.task, request.answer])))
      const model = await resolved()
      if (model instanceof UsageError) return { ...unavailable(model.message, noSpending), seed }
      const choices = {
        verdicts: shuffleItems(verdictWords, seed),
        categories: shuffleItems(categories, seed),
      }
      const changes = await changesIn(request.workFolder, signal)
      const context = assembleContext(
        { ...request, rules, changes },
        maxPromptLength - template.length - rubric.length,
      )
      const parts = { rubric, ...choices, nonce: context.nonce, minScore }
      const instructions = instructionsOf(parts)
      const text = maskText(context.text, secrets)
      const payer = { runId: events[0]?.runId ?? '', events }
      const limits = { maxOutputTokens, timeoutMs, tries }
      const call = { model, prices, instructions, text, ...limits, account, payer }
      return { ...(await askUntilReadable(call, { categories, minScore }, signal)), seed }
    },
  }
}

/** A missing key or package is data here: the judge has not decided. */
async function resolvedOrProblem(resolve: () => Promise<ResolvedModel>): Promise<ResolvedModel | UsageError> {
  try {
    return await resolve()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}

const noSpending: Spending = { tokens: 0, costUsd: 0 }

function unavailable(reason: string, { tokens, costUsd }: Spending): JudgeAnswer {
  return { kind: 'abstained', unavailable: true, reason, quotes: [], tokens, costUsd }
}

/** Times that an answer is asked for again if it cannot be read. */
const maxRepeats = 2

interface Readable {
  readonly categories: readonly string[]
  readonly minScore: number | undefined
}

/** An answer that cannot be read is asked for again, within the time of the question. */
async function askUntilReadable(
  call: JudgeCall,
  readable: Readable,
  signal: AbortSignal,
): Promise<JudgeAnswer> {
  const deadlineMs = performance.now() + call.timeoutMs
  let spent: Spending = { tokens: 0, costUsd: call.prices === null ? null : 0 }
  let { text } = call
  for (let repeats = 0; ; repeats += 1) {
    const timeoutMs = Math.max(1, Math.round(deadlineMs - performance.now()))
    const result = await callJudge(repeats === 0 ? call : { ...call, text, timeoutMs }, signal)
    spent = addSpending(spent, result.spent)
    if (result.kind === 'unavailable') return unavailable(result.reason, spent)
    const verdict = parseVerdict(result.text, readable.categories)
    const problem = problemOf(verdict, readable)
    if (problem === undefined && verdict.kind !== 'malformed') return { ...verdict, ...spent }
    if (repeats >= maxRepeats || signal.aborted || performance.now() >= deadlineMs)
      return unavailable(`its verdict is not understood: ${problem ?? ''}`, spent)
    text = `${call.text}\n\nYour last answer was not understood: ${problem ?? ''}. Answer again, in the form that is asked for.`
  }
}

function problemOf(verdict: ReturnType<typeof parseVerdict>, { minScore }: Readable): string | undefined {
  if (verdict.kind === 'malformed') return verdict.reason
  const needsScore = minScore !== undefined && verdict.kind === 'met'
  return needsScore && verdict.score === undefined
    ? `it gives no score, and ${minScore} is needed`
    : undefined
}

function addSpending(one: Spending, other: Spending): Spending {
  const costUsd = one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd
  return { tokens: one.tokens + other.tokens, costUsd }
}
