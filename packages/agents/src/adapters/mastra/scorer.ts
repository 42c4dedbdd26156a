/** Scorers of Mastra from our checks, and checks of ours from its scorers. */
import { fieldOf, textField } from '../../protocol/host/index.ts'
import type { Verifier } from '@donecheck/engine/ports/checks'
import { claimKeys, verifyClaim, type ClaimOptions, type Verification } from '../../session/index.ts'
import { verifierKeys, verifierOf, type VerifierOptions } from '@donecheck/engine/verify'
import type { ScorerInput, ScorerAnswer, ScorerLike } from './sdk.ts'
import { assertKnownKeys, type OptionKeys } from '@donecheck/engine/base'

export interface CompletionScorerOptions extends ClaimOptions {
  /** Default `donecheck`. */
  readonly id?: string
}

const completionScorerKeys: OptionKeys<CompletionScorerOptions> = { ...claimKeys, id: true }

/** Has what Mastra uses of a scorer. */
export interface CompletionScorer {
  readonly id: string
  readonly name: string
  readonly description: string
  run(asked: ScorerInput): Promise<ScorerAnswer & { readonly reason: string; readonly runId: string }>
}

/**
 * For `isTaskComplete: { scorers: [completionScorer({ … })] }`, and `completion` of a network: 1 where the checks verify the work, else 0
 * with what they say as the reason. Each question is a verification of its own; to have caps, loops, the gate and one record for a
 * whole execution as well, see `verifiedGenerate`.
 *
 * Mastra's type of a scorer can be told from any other by TypeScript: name it, `completionScorer<MastraScorer>(…)`.
 * @throws {UsageError} when it is asked, for options that contradict each other or can never work: Mastra reads that as a 0
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- Mastra's class, which is not at hand here
export function completionScorer<Scorer = CompletionScorer>(options: CompletionScorerOptions): Scorer {
  assertKnownKeys(options, completionScorerKeys, 'completionScorer')
  const { id = 'donecheck', ...rest } = options
  const scorer: CompletionScorer = {
    id,
    name: id,
    description: 'what the checks say of the work',
    run: async ({ output, input }) => {
      const text = typeof output === 'string' ? output : ''
      const task = textField(input, 'originalTask') ?? 'the work of an agent'
      const verification = await verifyClaim({ ...rest, agent: 'mastra' }, { task, text })
      const { runId, isVerified } = verification
      return { runId, score: isVerified ? 1 : 0, reason: reasonOf(verification) }
    },
  }
  // Named by the caller alone: Mastra's class has private fields, and uses what stands here.
  return scorer as Scorer
}

function reasonOf({ isVerified, transition, verdicts }: Verification): string {
  const open = verdicts.filter(({ status }) => status !== 'passed')
  if (isVerified || open.length === 0) return transition?.message ?? 'nothing was checked'
  return open.map(({ verifier, status, reason }) => `${verifier}: ${status}: ${reason}`).join('\n')
}

export interface ScorerVerifierOptions extends VerifierOptions {
  /** So much is a pass. Default 1, as in `isTaskComplete`. */
  readonly atLeast?: number
}

const scorerVerifierKeys: OptionKeys<ScorerVerifierOptions> = { ...verifierKeys, atLeast: true }

/** A check of ours that asks a scorer of Mastra, just as it is. It passes where the score is high enough, with the scorer's own reason. */
export function scorerVerifier(scorer: ScorerLike, options: ScorerVerifierOptions = {}): Verifier {
  assertKnownKeys(options, scorerVerifierKeys, 'scorerVerifier')
  const { atLeast = 1, ...rest } = options
  return verifierOf(
    scorer.name ?? scorer.id,
    async ({ finalText, task }) => {
      const asked = {
        input: { originalTask: task, primitiveResult: finalText, messages: [] },
        output: finalText,
      }
      const answer = await scorer.run(asked as never)
      const score = fieldOf(answer, 'score')
      if (typeof score !== 'number' || Number.isNaN(score)) return undefined
      const reason = textField(answer, 'reason') ?? `the score is ${score}, and ${atLeast} is wanted`
      return { passed: score >= atLeast, reason }
    },
    { deterministic: false, reads: 'answer', ...rest },
  )
}
