/** What is said of calls that ran without our yes: on record, and where nothing can be done about it but to end. */
import type { AgentFinding, TurnEnded } from '../../../protocol/stream/index.ts'
import type { CallInQuestion } from './control-words.ts'

/** All calls of a turn. @param why in a few words */
export function notAsked(why: string): AgentFinding {
  return {
    kind: 'finding',
    rule: 'calls_not_asked',
    message: `Claude Code is not asked before its calls: ${why}. They are watched, and ended one late: no rule stands before them`,
  }
}

/** One call, where the others are asked for. */
export function ranUnprompted(call: CallInQuestion): AgentFinding {
  return {
    kind: 'finding',
    rule: 'call_ran_unasked',
    message: `Claude Code has run ${formatCall(call)} without waiting for an answer: no rule stood before it`,
  }
}

export function ranChanged(asked: CallInQuestion, ran: CallInQuestion): AgentFinding {
  return {
    kind: 'finding',
    rule: 'call_changed',
    message: `Claude Code has run ${formatCall(ran)}, which nobody was asked about, in the place of ${formatCall(asked)}`,
  }
}

/** Nobody knows what it would run next. */
export function noFurther({ message }: AgentFinding, wayOut: string): TurnEnded {
  return {
    kind: 'turn-ended',
    text: '',
    failure: { kind: 'configuration', message: `${message}. ${wayOut}`, retryable: false },
  }
}

export function formatCall({ tool, args }: CallInQuestion): string {
  const written = `${tool} ${JSON.stringify(args)}`
  return written.length <= 300 ? written : `${written.slice(0, 299).toWellFormed()}…`
}
