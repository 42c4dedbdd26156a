/** Whatever the world answers: a run ends, within its caps, and the same record gives the same decisions again. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { converse, emptyConversation, evolve, totalTokens, type RunState } from '../../state/index.ts'
import type { Fact, RunEvent } from '../../events/index.ts'
import { decide } from '../decide.ts'
import { walkJudgement, walks, type Walk } from './random-host.test.ts'
import { turnStaysOpen } from '../stops/index.ts'

function ofType<Type extends Fact['type']>(events: readonly RunEvent[], type: Type) {
  return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type)
}

/** A counterexample is made smaller for no longer than that. */
const maxMs = 20_000

function always(holds: (done: Walk) => void): void {
  fc.assert(fc.property(walks, holds), { numRuns: 300, interruptAfterTimeLimit: maxMs })
}

describe('given a world that answers by chance', () => {
  it('stops, and the record says so', () => {
    always(({ events, states, end }) => {
      expect(events.at(-1)).toMatchObject({ type: 'run-stopped', transition: end })
      expect(states.at(-1)?.phase.kind).toBe('stopped')
    })
  })

  it('never announces more than the caps allow, over all sleeps, but for calls that the provider refused (I9)', () => {
    always(({ events, states: [first] }) => {
      const limits = first?.settings.caps
      const upTo = (limit: number | null | undefined) => limit ?? Number.POSITIVE_INFINITY
      const turns = new Set(ofType(events, 'model-called').map(({ turn }) => turn))
      const refused = ofType(events, 'model-failed').filter(
        ({ failure }) => failure.kind === 'server-error',
      ).length
      expect(turns.size - refused).toBeLessThanOrEqual(upTo(limits?.maxIterations))
      const calls = ofType(events, 'model-called').length + ofType(events, 'final-summary-called').length
      expect(calls - refused).toBeLessThanOrEqual(upTo(limits?.maxModelCalls))
      expect(ofType(events, 'tool-called').length).toBeLessThanOrEqual(upTo(limits?.maxToolCalls))
    })
  })

  it('never spends more than the caps allow, where the agent keeps to what it was given', () => {
    always(({ states }) => {
      const { consumption, settings } = states.at(-1) ?? { consumption: undefined, settings: undefined }
      if (consumption === undefined) throw new Error('a walk has states')
      expect(totalTokens(consumption)).toBeLessThanOrEqual(
        settings.caps.maxTokens ?? Number.POSITIVE_INFINITY,
      )
      expect(consumption.costUsd ?? 0).toBeLessThanOrEqual(
        (settings.caps.maxCostUsd ?? Number.POSITIVE_INFINITY) + 1e-9,
      )
    })
  })

  it('ends every turn exactly once, save the one that it sleeps in', () => {
    always(({ events, end }) => {
      const opened = [...new Set(ofType(events, 'model-called').map(({ turn }) => turn))]
      const ended = ofType(events, 'turn-ended').map(({ turn }) => turn)
      const sleepsInLast = turnStaysOpen.includes(end.reason) && !ended.includes(opened.at(-1) ?? 0)
      expect(ended).toEqual(sleepsInLast ? opened.slice(0, -1) : opened)
    })
  })

  it('gives every call one answer, before the next reply', () => {
    always(({ events }) => {
      const { rounds } = events.reduce(converse, emptyConversation)
      for (const { toolCalls, answers } of rounds.slice(0, -1))
        expect(answers.map(({ callId }) => callId).toSorted()).toEqual(
          toolCalls.map(({ callId }) => callId).toSorted(),
        )
    })
  })

  it('asks for a summary once at most between two turns, and ends as it was decided before', () => {
    always(({ events, end }) => {
      const asked = ofType(events, 'final-summary-called')
      for (const [index, call] of asked.entries()) {
        const next = asked[index + 1]?.sequence ?? Number.POSITIVE_INFINITY
        const turns = ofType(events, 'model-called').filter(
          ({ sequence }) => sequence > call.sequence && sequence < next,
        )
        if (next < Number.POSITIVE_INFINITY) expect(turns.length).toBeGreaterThan(0)
      }
      const last = asked.at(-1)
      const isLastWord = !events.some(
        ({ type, sequence }) => type === 'run-resumed' && sequence > (last?.sequence ?? 0),
      )
      if (last === undefined || !isLastWord || end.reason === 'user_interrupt') return
      expect(end).toMatchObject(last.end)
      expect(end.summary).not.toBe('')
    })
  })

  it('gives every early end a summary where there was a reply, and no other end', () => {
    always(({ states, end }) => {
      const { settings, replies } = states.at(-1) ?? { settings: undefined, replies: 0 }
      const isEarly = ['hard_cap', 'stagnated', 'diminishing', 'loop_detected'].includes(end.reason)
      expect(end.summary !== undefined).toBe(isEarly && settings?.finalSummary === true && replies > 0)
    })
  })

  it('calls nothing verified that the required checks did not pass', () => {
    always(({ states, end }) => {
      if (end.outcome !== 'verified') return
      const state = states.at(-1)
      const settled = state?.replyCheck?.settled
      const isJudged = settled?.ending === 'passed' && settled.turn === state?.turn
      const required = state?.settings.verifiers.filter((each) => each.required) ?? []
      const statuses = required.map(({ name }) => state?.checks[name]?.latest?.status)
      if (!isJudged) expect(statuses).toContain('passed')
      expect(statuses.filter((status) => status !== 'passed' && status !== 'skipped')).toEqual([])
    })
  })

  it('settles one reply at most, hands it on once at most, and asks the judge no more often than it may', () => {
    always(({ events, states, end }) => {
      const settled = ofType(events, 'reply-settled')
      expect(settled.length).toBeLessThanOrEqual(1)
      expect(ofType(events, 'reply-delivered').length).toBe(settled.filter(({ delivers }) => delivers).length)
      const state = states.at(-1)
      const attempts = ofType(events, 'reply-judging-started').map(({ attempt }) => attempt)
      expect(Math.max(0, ...attempts)).toBeLessThanOrEqual(state?.settings.replyCheck?.maxAttempts ?? 0)
      if (settled.some(({ ending, skip }) => ending !== 'passed' && skip === undefined))
        expect(state?.replyCheck?.settled?.turn === state?.turn && end.outcome === 'verified').toBe(
          settled.at(-1)?.ending === 'not-triggered' && end.outcome === 'verified',
        )
    })
  })

  it('runs the last check before a cap ends it, unless told otherwise (I10)', () => {
    always(({ events, states, end }) => {
      const settings = states[0]?.settings
      if (end.reason !== 'hard_cap' || settings?.verifyAtCap !== true || settings.verifiers.length === 0)
        return
      expect(end.lastCheck).not.toBe('switched-off')
      const lastWork = events.findLastIndex(
        ({ type }) => type === 'model-replied' || type === 'tool-returned',
      )
      const lastCheck = events.findLastIndex(({ type }) => type === 'verdict-given')
      if (lastWork >= 0) expect(lastCheck).toBeGreaterThan(lastWork)
    })
  })

  it('decides the same again, of the same state, of a saved one and of the record (I11)', () => {
    always(({ events, decisions }) => {
      let state: RunState | undefined
      let next = 0
      for (const [index, event] of events.entries()) {
        state = evolve(state, event)
        for (; decisions[next]?.after === index + 1; next += 1) {
          const before = JSON.stringify(decisions[next]?.decision)
          const saved = JSON.parse(JSON.stringify(state)) as RunState
          expect(JSON.stringify(decide(state, walkJudgement))).toBe(before)
          expect(JSON.stringify(decide(saved, walkJudgement))).toBe(before)
        }
      }
      expect(next).toBe(decisions.length)
    })
  })
})
