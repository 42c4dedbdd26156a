/** Points at which something may be said to the drive: all messages in their order. */
import { z } from 'zod'
import { bounded } from '../show-thrown.ts'
import { longestText, type PointRules } from './point-rules.ts'
import { fieldReader } from './read-fields.ts'

type MessagePoint = 'run_started' | 'before_turn' | 'after_tool_call' | 'after_turn'

function messageRules<Point extends MessagePoint>(): PointRules<Point> {
  return {
    nothing: {},
    read: fieldReader(z.strictObject({ message: z.string().exactOptional() })),
    effectOf: ({ message }) => {
      const told = said(message)
      return told === undefined ? { effect: 'none' } : { effect: 'told', told }
    },
    merge: (merged, { message }) => {
      const told = said(message)
      if (told === undefined) return merged
      return { message: merged.message === undefined ? told : `${merged.message}\n\n${told}` }
    },
    refuse: (merged) => merged,
    after: (input) => input,
    isDecided: () => false,
  }
}

function said(message: string | undefined): string | undefined {
  return message === undefined || message.trim() === '' ? undefined : bounded(message, longestText)
}

export const runStartedRules = messageRules<'run_started'>()
export const beforeTurnRules = messageRules<'before_turn'>()
export const afterToolCallRules = messageRules<'after_tool_call'>()
export const afterTurnRules = messageRules<'after_turn'>()
