import { randomUUID } from 'node:crypto'
import type { Verification } from '../../session/index.ts'
import { textIn } from '../../protocol/host/index.ts'
import { assertKnownKeys } from '@donecheck/engine/base'
import {
  OpenRuns,
  runKeys,
  type RunOptions,
  messagesOf,
  signalIn,
  typeOfMessage,
  type MessageLike,
  lastReply,
  replyOf,
  textOfMessage,
} from './session.ts'

export type VerifiedNodeOptions = RunOptions

export interface VerifiedNode {
  /** For `addNode`: what the checks have against the work stands in the messages, as a user would say it. */
  readonly node: (state: object, config?: object) => Promise<{ messages: MessageLike[] }>
  /** For `addConditionalEdges`, after the node: `verifiedEdge({ open: 'model', over: END })`. */
  verifiedEdge<Open extends string, Over extends string>(to: {
    readonly open: Open
    readonly over: Over
  }): (state: object) => Open | Over
  verification(result: object): Promise<Verification>
}

/**
 * Stands where a graph of your own thinks that it is done: the last reply in `messages` is the claim. It sees what stands in the
 * messages, and no call before it runs: for the gate and caps inside of a turn see `verifiedMiddleware`.
 *
 * The run belongs to the last message that a user has said, so that each question to a thread is a run of its own.
 */
export function verifiedNode(options: VerifiedNodeOptions): VerifiedNode {
  assertKnownKeys(options, runKeys, 'verifiedNode')
  const runs = new OpenRuns(options)
  return {
    node: async (state, config) => {
      const asked = question(state)
      const name = nameOf(state)
      const session = await ((await runs.isAtWork(name))
        ? runs.at(name)
        : runs.begin(name, textOfMessage(asked)))
      if (session.ended !== undefined) return { messages: [] }
      const reply = replyOf(lastReply(messagesOf(state)), session.acts)
      await session.recordReply(reply, signalIn(config))
      const feedback = await session.verifyTurnEnd(reply.text, signalIn(config))
      if (feedback === undefined) return { messages: [] }
      const id = `${feedbackId}${randomUUID()}`
      return { messages: [{ role: 'user', content: feedback, id }] }
    },
    verifiedEdge: ({ open, over }) => {
      return (state) => (isFeedback(messagesOf(state).at(-1)) ? open : over)
    },
    verification: (result) => runs.verification(nameOf(result)),
  }
}

const feedbackId = 'donecheck-'

function isFeedback(message: unknown): boolean {
  return typeOfMessage(message) === 'human' && (textIn(message, 'id') ?? '').startsWith(feedbackId)
}

function question(state: unknown): unknown {
  return messagesOf(state).findLast((message) => typeOfMessage(message) === 'human' && !isFeedback(message))
}

/** Reducers of LangGraph give every message an id; where there is none its place stands for it. */
function nameOf(state: unknown): string {
  const asked = question(state)
  return textIn(asked, 'id') ?? `message ${messagesOf(state).indexOf(asked)}`
}
