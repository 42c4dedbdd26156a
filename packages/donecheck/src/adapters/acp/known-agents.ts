/** What is known of single agents, because the protocol leaves it open and does not say it before a run. */
export interface TellsUsage {
  /** The whole usage of a turn comes with its end. */
  readonly ofTurn: boolean
  /** The size of the context comes after every reply of the model: caps on tokens can end a turn in flight. */
  readonly ofSteps: boolean
  readonly cost: boolean
}

const nothing: TellsUsage = { ofTurn: false, ofSteps: false, cost: false }

/** Measured with the versions that the tests name. */
const known: readonly (readonly [RegExp, TellsUsage])[] = [
  [/\bclaude(-code|-agent)?-acp\b/u, { ofTurn: true, ofSteps: true, cost: true }],
  [/\bcodex-acp\b/u, { ofTurn: true, ofSteps: true, cost: false }],
  [/\bgemini\b/u, { ofTurn: true, ofSteps: false, cost: false }],
  // Its usage is that of the last reply alone, so no cap on tokens could be kept; its cost is whole.
  [/\bopencode\b/u, { ofTurn: false, ofSteps: false, cost: true }],
]

/** @param line the command that starts it */
export function tellsUsage(line: string): TellsUsage {
  return known.find(([name]) => name.test(line))?.[1] ?? nothing
}

/**
 * The Codex adapter has its permission requests answered by a model of its own unless it is told another mode; this is the one
 * in which it asks us, for all that leaves its sandbox. What the user has set wins.
 */
export function environmentFor(
  line: string,
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return /\bcodex-acp\b/u.test(line) ? { INITIAL_AGENT_MODE: 'workspace-write', ...environment } : environment
}
