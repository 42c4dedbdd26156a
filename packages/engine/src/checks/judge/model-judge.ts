import { canonicalJson, familyOf } from '@donecheck/core/internal/base'
import { maskText, type SecretValues } from '@donecheck/core/internal/secrets'
import { judgeCategories } from '@donecheck/core/internal/events/verdicts'
import { UsageError, assertKnownKeys, given, optionKeys, sha256 } from '../../base/index.ts'
import type { Judge, JudgeAnswer } from '../../ports/judges.ts'
import type { ResolvedModel } from '../../system/models/index.ts'
import { type Spending, callJudge, type ModelToAsk, askedModelKeys, askedModel } from './call-judge.ts'
import { assembleContext, type RuleText, changesIn } from './context.ts'
import { instructionsOf, parseVerdict, type JudgeVerdict } from './verdict.ts'

export interface ModelJudgeOptions extends ModelToAsk {
  /** For people. Default: the model's name. */
  readonly name?: string
  /** Rules that the answer must keep; see `readProjectRules`. */
  readonly rules?: readonly RuleText[]
  /** Failure categories in addition to the usual ones. */
  readonly categories?: readonly string[]
  /** Milliseconds per question, all tries included. Default 30,000. */
  readonly timeoutMs?: number
  /** Tries per question. Default 3. */
  readonly tries?: number
  /** Including reasoning. Default 4,096. */
  readonly maxOutputTokens?: number
  /** Masked before sending, as is any text shaped like a secret. */
  readonly secrets?: SecretValues
}

const keys = {
  ...askedModelKeys,
  ...optionKeys<Omit<ModelJudgeOptions, keyof ModelToAsk>>()(
    'name rules categories timeoutMs tries maxOutputTokens secrets',
  ),
}

/** Characters of instructions and context. */
const maxPromptLength = 32_000

/**
 * A model that judges a rubric, for `judgedBy`. Without key, server, timely readable verdict or money it
 * abstains.
 * @throws {UsageError} for an invalid option, or a cost cap without a known price
 */
export function modelJudge(options: ModelJudgeOptions): Judge {
  assertKnownKeys(options, keys, 'modelJudge')
  const { timeoutMs = 30_000, tries = 3, maxOutputTokens = 4096 } = options
  const asked = askedModel(options, { timeoutMs, tries, maxOutputTokens })
  const { prices, account } = asked
  const modelName = asked.name
  const { name = modelName, rules = [], secrets = {} } = options
  const categories = [...new Set([...judgeCategories, ...(options.categories ?? [])])]
  const template = instructionsOf({ rubric: '', categories, nonce: '' })
  const resolved = once(() => resolvedOrProblem(asked.resolve))
  const family = familyOf(modelName)

  return {
    name,
    ...given({ family }),
    identity: sha256(canonicalJson({ model: modelName, baseUrl: options.baseUrl ?? null, template })),
    async judge(request, signal) {
      const { rubric, events, minScore } = request
      const model = await resolved()
      if (model instanceof UsageError) return unavailable(model.message, { tokens: 0, costUsd: 0 })
      const changes = await changesIn(request.workFolder, signal)
      const context = assembleContext(
        { ...request, rules, changes },
        maxPromptLength - template.length - rubric.length,
      )
      const instructions = instructionsOf({ rubric, categories, nonce: context.nonce, minScore })
      const text = maskText(context.text, secrets)
      const payer = { runId: events[0]?.runId ?? '', events }
      const limits = { maxOutputTokens, timeoutMs, tries }
      const call = { model, prices, instructions, text, ...limits, account, payer }
      const result = await callJudge(call, (answer) => readVerdict(answer, categories, minScore), signal)
      return result.kind === 'unavailable'
        ? unavailable(result.reason, result.spent)
        : { ...result.value, ...result.spent }
    },
  }
}

/** A missing key or package is data: the judge abstains. */
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

function unavailable(reason: string, { tokens, costUsd }: Spending): JudgeAnswer {
  return { kind: 'abstained', unavailable: true, reason, quotes: [], tokens, costUsd }
}

/** @returns the verdict, or why it is unreadable */
function readVerdict(
  text: string,
  categories: readonly string[],
  minScore: number | undefined,
): Exclude<JudgeVerdict, { kind: 'malformed' }> | string {
  const verdict = parseVerdict(text, categories)
  if (verdict.kind === 'malformed') return verdict.reason
  const lacksScore = minScore !== undefined && verdict.kind === 'met' && verdict.score === undefined
  return lacksScore ? `it gives no score, and ${minScore} is needed` : verdict
}
