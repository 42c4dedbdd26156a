/** The instructions that stand before every conversation. Short: they are paid for on every call. */
import type { ToolDescription } from '../../../ports/loop.ts'

/** @param extra instructions of the user; they come last and are kept whole */
export function systemPrompt(tools: readonly ToolDescription[], extra?: string): string {
  const parts = [tools.length === 0 ? withoutTools : withTools(tools), aboutDone, extra?.trim() ?? '']
  return parts.filter((part) => part !== '').join('\n\n')
}

const withoutTools = 'You solve a task in several turns. You have no tools: answer with text.'

function withTools(tools: readonly ToolDescription[]): string {
  return [
    `You solve a task in several turns by calling tools (${tools.map(({ name }) => name).join(', ')}).`,
    'All work happens in one work folder. Give paths relative to it; what lies outside is out of bounds.',
    'Look before you change something. A refused call stays refused: find another way, or say what you need.',
  ].join('\n')
}

const aboutDone = [
  'You do not decide when the task is done: checks do, which the program runs after your turns.',
  'When you think that you are finished, answer in a few sentences without calling a tool. You are then told what the checks found.',
  'Never weaken, skip or edit a check to make it pass, and never claim what you have not seen.',
].join('\n')
