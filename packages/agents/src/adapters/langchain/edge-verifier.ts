/** A conditional edge of LangGraph as a check of ours, just as it is. */
import type { Verifier } from '@donecheck/engine/ports/checks'
import { verifierKeys, verifierOf, type VerifierOptions } from '@donecheck/engine/verify'
import { assertKnownKeys, type OptionKeys } from '@donecheck/engine/base'

/** What `addConditionalEdges` takes: it says where a graph goes on. */
export type ConditionalEdge = (state: never, config?: never) => unknown

export interface EdgeVerifierOptions extends VerifierOptions {
  /** Where the edge leads when the work is done: the check passes there and nowhere else. Default `END`, which is `__end__`. */
  readonly over?: string
  /** Default: the name of the function, else `conditional edge`. */
  readonly name?: string
}

const edgeVerifierKeys: OptionKeys<EdgeVerifierOptions> = { ...verifierKeys, over: true, name: true }

/**
 * The edge is asked with `{ messages }` of the task and the agent's last words, as messages without calls: it decides about the answer, and
 * no tool has run in what it sees.
 */
export function edgeVerifier(edge: ConditionalEdge, options: EdgeVerifierOptions = {}): Verifier {
  assertKnownKeys(options, edgeVerifierKeys, 'edgeVerifier')
  const { over = '__end__', name = edge.name === '' ? 'conditional edge' : edge.name, ...rest } = options
  return verifierOf(
    name,
    async ({ task, finalText }) => {
      const messages = [
        { type: 'human', role: 'user', content: task },
        { type: 'ai', role: 'assistant', content: finalText, tool_calls: [] },
      ]
      const given: unknown = await edge({ messages } as never)
      const leads = Array.isArray(given) ? given.map(String) : [String(given)]
      return {
        passed: leads.every((node) => node === over) && leads.length > 0,
        reason: `the edge leads to ${leads.join(', ')}`,
      }
    },
    { deterministic: false, reads: 'answer', ...rest },
  )
}
