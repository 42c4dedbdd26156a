/** What a conversation costs, by our own estimate, and how a single text is cut to a cost. */
import { estimateTokens } from '../../../budgets/index.ts'
import type { JsonValue, ToolCall } from '../../../events/index.ts'
import type { Round } from '../../../state/index.ts'

/** Roles, ids and brackets of one message. */
const messageOverheadTokens = 8
const charactersPerToken = 3.5

export function textCost(text: string): number {
  return text === '' ? 0 : estimateTokens(text) + messageOverheadTokens
}

export function callCost({ tool, args }: ToolCall): number {
  return textCost(tool + JSON.stringify(args))
}

export function roundCost(round: Round): number {
  const calls = round.toolCalls.reduce((sum, call) => sum + callCost(call), 0)
  const answers = round.answers.reduce((sum, { output }) => sum + textCost(output), 0)
  return textCost(round.text) + calls + answers + textCost(round.feedback ?? '')
}

const mark = '\n[... cut to fit the context ...]\n'

/** Keeps both ends of a text; a text that costs too much even without its middle keeps its beginning. */
export function cutText(text: string, maxCost: number): string {
  if (textCost(text) <= maxCost) return text
  const characters = Math.max(1, Math.floor((maxCost - messageOverheadTokens) * charactersPerToken))
  if (characters < 3 * mark.length) return text.slice(0, characters).toWellFormed()
  const room = characters - mark.length
  const head = Math.ceil(room / 2)
  return `${text.slice(0, head)}${mark}${text.slice(head - room)}`.toWellFormed()
}

/** Arguments that cost too much become one text, cut by what it costs as JSON; the shape of an object is kept. */
export function cutCall(call: ToolCall, maxCost: number): ToolCall {
  if (callCost(call) <= maxCost) return call
  const written = JSON.stringify(call.args)
  const withArguments = (characters: number): ToolCall => {
    const args: JsonValue = characters > 0 ? { cut: written.slice(0, characters).toWellFormed() } : {}
    return { ...call, args }
  }
  let characters = Math.floor((maxCost - messageOverheadTokens) * charactersPerToken)
  while (characters > 0 && callCost(withArguments(characters)) > maxCost)
    characters = Math.floor(characters * 0.8)
  return withArguments(characters)
}
