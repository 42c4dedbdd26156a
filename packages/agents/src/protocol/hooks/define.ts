/** The hooks of one agent from its table. Pure. */
import type { HookEffect, HookProtocol, HookReply, SampleContext } from './hook-protocol.ts'
import type { HostAnswer } from '../host/index.ts'
import type { HookRow, HookTable, Say, Words } from './hook-table.ts'
import { readHook } from './reading.ts'
import { answerIn, inBounds, jsonReply, silence, textOfAnswer, underHeading } from './replies.ts'
import { given } from '@donecheck/engine/base'

export function defineHookProtocol(table: HookTable): HookProtocol {
  const { agent, title, silentFailures, projectVariable, ownSettings, events } = table
  const rowOf = (word: string) => events.find(({ event, as = event }) => as === word)
  return {
    ...{ agent, title, silentFailures, registrations: events, ownSettings },
    ...given({ projectVariable }),
    read: (word, payload, environment) =>
      readHook(table, rowOf(word) ?? { event: word }, payload, environment),
    answer: (word, answer) => answerOf(table, rowOf(word), answer),
    effect: (word, reply) => effectOf(table, rowOf(word), reply),
    sample: (word, place) => sampleOf(table, rowOf(word), place),
  }
}

function answerOf(table: HookTable, row: HookRow | undefined, answer: HostAnswer): HookReply {
  const words = row === undefined || row.isDeaf === true ? undefined : table.answers[row.tells]
  if (row === undefined || words === undefined) return silence
  const at = { event: row.event, answer }
  const notice = 'notice' in answer ? (answer.notice ?? '') : ''
  return jsonReply({
    ...sayAnswer(words, answer, table.hasHeading === true && row.tells === 'claim', at),
    ...(notice === '' ? {} : table.notice?.(inBounds(notice), at)),
  })
}

function sayAnswer(words: Words, answer: HostAnswer, hasHeading: boolean, at: Parameters<Say>[1]): object {
  const text = textOfAnswer(answer)
  if (answer.kind === 'pass') {
    if (answer.isOwnCheck === true) return words.permission?.('a check of this run', at) ?? {}
    return text === '' ? {} : (words.context?.(inBounds(text), at) ?? {})
  }
  if (answer.kind === 'end' && words.end !== undefined) return words.end(inBounds(text), at)
  return words.objection?.(hasHeading ? underHeading(text) : inBounds(text), at) ?? {}
}

function effectOf({ answers }: HookTable, row: HookRow | undefined, reply: HookReply): HookEffect {
  const words = row === undefined ? undefined : answers[row.tells]
  const said = answerIn(reply)
  if (said === 'invalid') return words?.refusesAt?.(reply.exitCode) === true ? 'refused' : 'invalid'
  return said === 'nothing' ? 'passed' : (words?.effect?.(said) ?? 'passed')
}

function sampleOf(table: HookTable, row: HookRow | undefined, place: SampleContext): object {
  const isOfCall = row?.tells === 'proposal' || row?.tells === 'result'
  return {
    ...table.sample(place, row?.event ?? ''),
    ...(isOfCall ? table.sampleCall(place.script ?? 'true') : {}),
    ...(row?.tells === 'prompt' ? { prompt: 'a trial of the hooks' } : {}),
    ...row?.sample,
  }
}
