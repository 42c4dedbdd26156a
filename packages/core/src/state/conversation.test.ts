import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { externalAgent, begun, claimed, given, stamp, runStarted } from '../testing/index.ts'
import {
  goalSet,
  modelCalled,
  modelFailed,
  modelProposed,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
} from '../testing/facts.ts'
import { converse, emptyConversation } from './conversation.ts'
import { laterFact } from '../testing/generated/generated-events.test.ts'

describe('given a run that goes on', () => {
  it('tells the task, and no round before the first reply', () => {
    const { conversation } = given(runStarted(), goalSet('mend it'), modelCalled(1))
    expect(conversation).toEqual({ task: 'mend it', rounds: [], messages: [] })
  })

  it('makes a round of each reply, with the feedback that came after it', () => {
    const { rounds } = given(
      begun(),
      claimed(1, 'Done.'),
      turnEnded(1, 'not yet'),
      claimed(2, 'Now.'),
    ).conversation
    expect(rounds).toEqual([
      { text: 'Done.', toolCalls: [], answers: [], feedback: 'not yet' },
      { text: 'Now.', toolCalls: [], answers: [], feedback: undefined },
    ])
  })
})

describe('given tool calls', () => {
  const proposed = given(
    begun(),
    modelCalled(1),
    modelProposed(toolCall('a', 'read_file'), toolCall('b', 'shell')),
  )

  it('gives a call that was never run the refusal and who refused', () => {
    const { rounds } = proposed.and(toolRefused('b', 'gate', 'no network')).conversation
    expect(rounds[0]?.answers).toEqual([
      { callId: 'b', tool: 'shell', output: 'Refused (gate): no network', failed: true },
    ])
  })

  it.each(['interrupted', 'unknown'] as const)('takes an answer of status %s for failed', (status) => {
    const { rounds } = proposed.and(
      toolCalled('a'),
      toolReturned('a', 'look before you repeat it', status),
    ).conversation
    expect(rounds[0]?.answers[0]).toMatchObject({ failed: true, output: 'look before you repeat it' })
  })

  it('has as many answers as calls once the round is over, whatever became of them', () => {
    const callStatus = fc.constantFrom('ok', 'error', 'interrupted', 'unknown', 'refused')
    fc.assert(
      fc.property(fc.array(fc.array(callStatus, { maxLength: 6 }), { maxLength: 5 }), (turns) => {
        const { conversation } = given(
          begun(),
          turns.map((statuses, turn) => [
            modelCalled(turn + 1),
            modelProposed(...statuses.map((_, index) => `${turn}.${index}`)),
            statuses.map((each, index) => {
              const callId = `${turn}.${index}`
              return each === 'refused'
                ? toolRefused(callId)
                : [toolCalled(callId), toolReturned(callId, each, each)]
            }),
            turnEnded(turn + 1),
          ]),
        )
        expect(conversation.rounds).toHaveLength(turns.length)
        for (const { toolCalls, answers } of conversation.rounds)
          expect(answers.map(({ callId }) => callId)).toEqual(toolCalls.map(({ callId }) => callId))
      }),
    )
  })
})

describe('given a call of the agent that was broken off', () => {
  const brokenOff = given(
    begun({ agent: externalAgent }),
    modelCalled(1),
    modelFailed({ kind: 'interrupted' }, { notice: 'Look before you repeat anything.' }),
  )

  const warning = { text: 'Look before you repeat anything.', afterRounds: 0, isLasting: false }

  it('tells the next call of it', () => {
    expect(brokenOff.conversation.messages).toEqual([warning])
  })
})

describe('given any stream', () => {
  it('makes exactly one round of every reply', () => {
    fc.assert(
      fc.property(fc.array(laterFact, { maxLength: 30 }), (facts) => {
        const { rounds } = stamp([runStarted(), ...facts]).reduce(converse, emptyConversation)
        expect(rounds).toHaveLength(facts.filter(({ type }) => type === 'model-replied').length)
      }),
    )
  })
})
