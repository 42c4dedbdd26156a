/** The hard caps by name, and their kinds: other systems tell caps apart by kind at most. */
import type { CapName } from '../../events/index.ts'

export type CapKind = 'turns' | 'model-calls' | 'tool-calls' | 'tokens' | 'cost' | 'time'

export interface CapLabel {
  readonly kind: CapKind
  /** One sentence, for `hard_cap` with this cap. */
  readonly meaning: string
}

/** The compiler asks for a new one. */
export const capLabels: Readonly<Record<CapName, CapLabel>> = {
  iterations: { kind: 'turns', meaning: 'No further turn was allowed.' },
  model_calls: { kind: 'model-calls', meaning: 'No further call of the model was allowed; retries count.' },
  tool_calls: { kind: 'tool-calls', meaning: 'No further tool call was allowed.' },
  tokens: { kind: 'tokens', meaning: 'The next model call would not have fitted into the tokens left.' },
  uncached_input_tokens: {
    kind: 'tokens',
    meaning: 'The next prompt would not have fitted into the uncached input tokens left.',
  },
  cached_input_tokens: {
    kind: 'tokens',
    meaning: 'The input tokens that may come from the cache of the provider were used up.',
  },
  output_tokens: {
    kind: 'tokens',
    meaning: 'The next reply would not have fitted into the output tokens left.',
  },
  reasoning_tokens: { kind: 'tokens', meaning: 'The tokens for reasoning were used up.' },
  cost: { kind: 'cost', meaning: 'The next model call might have cost more than was left.' },
  wall_clock: { kind: 'time', meaning: 'The time for the run was up.' },
  send_backs: {
    kind: 'turns',
    meaning: 'The drive was sent back so often, and its checks came to no better score than before.',
  },
  working_time: {
    kind: 'time',
    meaning: 'The time for calls of the model, tools and checks was up; waits are not counted.',
  },
}
