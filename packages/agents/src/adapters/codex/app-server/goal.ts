/**
 * The goal of the run in a thread of Codex, and what Codex says of it. There, nothing checks that a goal is complete, and an active
 * one makes Codex begin one turn after the other by itself, the next within 10 ms, sooner than anybody could pause it. So it is
 * told as paused, which begins no turn, and which the model can read and answer all the same; at the end of each turn it is
 * paused again, whatever was made of it: whether it is reached is for the checks to say, and who goes on is our loop.
 */
import type { JsonValue } from '@donecheck/core/events'
import type { GoalView } from '@donecheck/core/prompts'
import { payloadOf, textIn, type Payload } from '../../../protocol/hooks/index.ts'
import type { AgentSignal } from '../../../protocol/stream/index.ts'
import type { AppServerPeer } from './peer.ts'

/** As Codex counts: code points. */
const maxObjectiveCharacters = 4000

/** For a model that looks at its goal. */
const whyPaused =
  'This goal stands as paused because another program begins your turns: work on it in each of them. It is complete when the checks pass, whatever is said of it.'

/**
 * Ours, for `thread/goal/set`.
 * @param tokensUsed what Codex has charged to its goal so far: its budget is that of the whole goal
 */
export function codexGoal(
  { objective, open, leftOut, left }: GoalView,
  tokensUsed: number,
): Readonly<Record<string, JsonValue>> {
  const parts = open.map(({ id, title, isNext }) => `- ${id}: ${title}${isNext ? ' (next)' : ''}`)
  const more = leftOut > 0 ? [`- and ${leftOut} more`] : []
  const wanted = [objective, ...(parts.length === 0 ? [] : [['Open parts:', ...parts, ...more].join('\n')])]
  return {
    objective: [shorten(wanted.join('\n\n')), whyPaused].join('\n\n'),
    status: 'paused',
    // Codex takes none below 1.
    tokenBudget: left.tokens === null ? null : tokensUsed + Math.max(1, left.tokens),
  }
}

function shorten(text: string): string {
  const characters = Array.from(text)
  const most = maxObjectiveCharacters - whyPaused.length - 2
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

/** Of a thread without a goal nothing comes. */
export async function pauseGoal(peer: AppServerPeer, threadId: string): Promise<void> {
  await peer.request('thread/goal/set', { threadId, status: 'paused' })
}

/** Of a notification, or of the answer to a question. */
export function goalIn(reported: Payload): Payload | undefined {
  return payloadOf(reported['goal'])
}

/** What came of the goal in one turn. The last word counts. */
export class GoalWatch {
  #status: string | undefined
  #word: GoalWord | undefined

  /**
   * Of a notification.
   * @param isOfTurn the model has done it, or Codex in its turn; otherwise a client has, such as we
   * @returns whether it must be paused now
   */
  see(goal: Payload | undefined, isOfTurn: boolean): boolean {
    const status = textIn(goal, 'status')
    const isNew = status !== this.#status
    this.#status = status
    if (isOfTurn) this.#word = isGoalWord(status) ? status : undefined
    return isNew && status === 'active'
  }

  get word(): GoalWord | undefined {
    return this.#word
  }
}

type GoalWord = 'complete' | 'blocked' | 'paused' | 'usageLimited' | 'budgetLimited'

interface WordMeaning {
  /** For the record. None: the call by which the model said it stands there, and is a claim like any other. */
  readonly signal?: AgentSignal
  /** For the model, with the next prompt. */
  readonly answer?: string
}

const goalWords: Readonly<Record<GoalWord, WordMeaning>> = {
  complete: {
    answer:
      'Your goal stands as paused: that you called it complete does not make it so. It is complete when the checks pass.',
  },
  blocked: {
    // Codex asks for no reason, so that it is the same blocker is all that can be known of it.
    signal: { kind: 'blocker', text: 'the model says in Codex that its goal is blocked' },
    answer:
      'Your goal stands as paused: it is blocked only once you have said so in three turns in a row. Until then look for another way.',
  },
  paused: {
    signal: findingOf('the model paused its goal in Codex: the run goes on'),
  },
  // That the account is spent fails the turn, and is told as its failure.
  usageLimited: {},
  budgetLimited: {
    signal: findingOf('Codex says that the budget of its goal is spent: the caps of the run decide'),
  },
}

export function meaningOf(word: GoalWord | undefined): WordMeaning {
  return word === undefined ? {} : goalWords[word]
}

function isGoalWord(status: string | undefined): status is GoalWord {
  return status !== undefined && Object.hasOwn(goalWords, status)
}

export function findingOf(message: string): AgentSignal {
  return { kind: 'finding', rule: 'codex-goal', message }
}
