import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../budgets/index.ts'
import {
  type Conversation,
  type Round,
  type ToolAnswer,
  converse,
  emptyConversation,
} from '../../state/index.ts'
import type { JsonValue, RunEvent, NewEvent } from '../../events/index.ts'
import { toolCall } from '../../testing/facts.ts'
import { fitConversation, type FittedConversation, newsFor, promptFor } from './fit.ts'

/** Independent recount: text plus 8 tokens per message. */
function cost({ task, messages, rounds }: Conversation): number {
  const message = (text: string) => (text === '' ? 0 : estimateTokens(text) + 8)
  const sum = (parts: readonly string[]) => parts.reduce((total, part) => total + message(part), 0)
  return rounds.reduce(
    (total, { text, toolCalls, answers, feedback }) =>
      total +
      sum([text, feedback ?? '']) +
      sum(toolCalls.map(({ tool, args }) => tool + JSON.stringify(args))) +
      sum(answers.map(({ output }) => output)),
    sum([task, ...messages.map(({ text }) => text)]),
  )
}

const words = fc.string({ maxLength: 60, unit: 'grapheme-ascii' })
/** From nothing to far more than any budget here, with characters that JSON writes in six. */
const text = fc.oneof(
  words,
  fc.tuple(words, fc.nat({ max: 300 })).map(([word, times]) => word.repeat(times)),
  fc.nat({ max: 4000 }).map((length) => '\u0001"\n'.repeat(length)),
)
const leaf: fc.Arbitrary<JsonValue> = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
const args: fc.Arbitrary<JsonValue> = fc.oneof(
  leaf,
  fc.dictionary(words, leaf, { maxKeys: 40, noNullPrototype: true }),
  fc.array(leaf, { maxLength: 200 }),
)

const round: fc.Arbitrary<Round> = fc
  .record({
    text,
    calls: fc.array(fc.tuple(args, text), { maxLength: 6 }),
    feedback: fc.option(text, { nil: undefined }),
  })
  .map(({ calls, ...rest }) => ({
    ...rest,
    toolCalls: calls.map(([given], index) => toolCall(`call-${index}`, 'write_file', given)),
    answers: calls.map(([, output], index): ToolAnswer => ({
      callId: `call-${index}`,
      tool: 'write_file',
      output,
      failed: false,
    })),
  }))

const conversation: fc.Arbitrary<Conversation> = fc
  .record({
    task: text,
    rounds: fc.array(round, { maxLength: 6 }),
    messages: fc.array(
      fc.record({ text: text.filter((one) => one !== ''), place: fc.nat(), isLasting: fc.boolean() }),
      { maxLength: 8 },
    ),
  })
  .map(({ messages, ...rest }) => ({
    ...rest,
    messages: messages
      .map(({ place, ...message }) => ({ ...message, afterRounds: place % (rest.rounds.length + 1) }))
      .toSorted((one, other) => one.afterRounds - other.afterRounds),
  }))
const budget = fc.integer({ min: 512, max: 6000 })

function fit(whole: Conversation, maxTokens: number): FittedConversation {
  return fitConversation(whole, maxTokens)
}

describe('given any conversation and any budget of 512 tokens or more', () => {
  it('never costs more than the budget', () => {
    fc.assert(
      fc.property(conversation, budget, (whole, maxTokens) => {
        expect(cost(fit(whole, maxTokens))).toBeLessThanOrEqual(maxTokens)
      }),
      { numRuns: 400 },
    )
  })

  it('keeps the task and the latest round', () => {
    fc.assert(
      fc.property(conversation, budget, (whole, maxTokens) => {
        const fitted = fit(whole, maxTokens)
        expect(fitted.task === '').toBe(whole.task === '')
        expect(fitted.rounds.length > 0).toBe(whole.rounds.length > 0)
        const latest = fitted.rounds.at(-1)?.toolCalls.map(({ callId, tool }) => [callId, tool])
        expect(latest).toEqual(whole.rounds.at(-1)?.toolCalls.map(({ callId, tool }) => [callId, tool]))
      }),
    )
  })

  it('leaves no answer without its call and no call without its answer', () => {
    fc.assert(
      fc.property(conversation, budget, (whole, maxTokens) => {
        for (const { toolCalls, answers } of fit(whole, maxTokens).rounds)
          expect(answers.map(({ callId }) => callId)).toEqual(toolCalls.map(({ callId }) => callId))
      }),
    )
  })

  it('leaves out the oldest rounds and no other, and says how many', () => {
    fc.assert(
      fc.property(conversation, budget, (whole, maxTokens) => {
        const { rounds, omittedRounds } = fit(whole, maxTokens)
        expect(omittedRounds + rounds.length).toBe(whole.rounds.length)
        expect(rounds.slice(0, -1)).toEqual(whole.rounds.slice(omittedRounds, -1))
      }),
    )
  })

  it('keeps as many rounds of it, or more, under a larger budget', () => {
    fc.assert(
      fc.property(conversation, budget, fc.nat({ max: 3000 }), (whole, maxTokens, more) => {
        expect(fit(whole, maxTokens + more).rounds.length).toBeGreaterThanOrEqual(
          fit(whole, maxTokens).rounds.length,
        )
      }),
      { numRuns: 400 },
    )
  })

  it('changes nothing that fits, and nothing that was fitted', () => {
    fc.assert(
      fc.property(conversation, (whole) => {
        expect(fit(whole, 10_000_000)).toEqual({ ...whole, omittedRounds: 0 })
      }),
    )
  })
})

describe('given a task and an output that are too long', () => {
  const long = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n')
  const whole: Conversation = {
    task: `first words ${long} last words`,
    rounds: [
      { text: 'old', toolCalls: [], answers: [], feedback: undefined },
      {
        text: 'I look.',
        toolCalls: [toolCall('a', 'shell', { command: 'npm test' })],
        answers: [{ callId: 'a', tool: 'shell', output: `HEAD ${long} TAIL`, failed: false }],
        feedback: 'Mend it.',
      },
    ],
    messages: [],
  }

  it('keeps both ends of each and says that it was cut', () => {
    const { task, rounds } = fit(whole, 2000)
    expect(task).toMatch(/^first words [^]*cut to fit[^]* last words$/)
    expect(rounds.at(-1)?.answers[0]?.output).toMatch(/^HEAD [^]*cut to fit[^]* TAIL$/)
  })

  it('keeps what lasts whole where its rounds are left out, and drops what does not last with them', () => {
    const [, last] = whole.rounds
    const first = { text: long, toolCalls: [], answers: [], feedback: undefined }
    const older = { ...whole, rounds: last === undefined ? [first] : [first, last] }
    const lasting = { text: 'Use tabs.', afterRounds: 1, isLasting: true }
    const passing = { text: 'The formatter ran.', afterRounds: 1, isLasting: false }
    const latest = { text: 'Look before you repeat anything.', afterRounds: 2, isLasting: false }
    const { messages, omittedRounds } = fit({ ...older, messages: [passing, lasting, latest] }, 512)
    expect(omittedRounds).toBe(1)
    expect(messages.map(({ text, afterRounds }) => [afterRounds, text])).toEqual([
      [0, 'Use tabs.'],
      [1, 'Look before you repeat anything.'],
    ])
  })
})

const header = { schemaVersion: 1, id: 'event', runId: 'run-1', sequence: 1, timeMs: 0 } as const

function after(...facts: readonly NewEvent[]): Conversation {
  const events = facts.map((fact): RunEvent => ({ ...header, ...fact }))
  return events.reduce(converse, emptyConversation)
}

const goal: NewEvent = { type: 'goal-set', task: 'Make it green.' }

function replied(text: string, problem?: string): NewEvent {
  return {
    type: 'model-replied',
    text,
    toolCalls: [],
    finish: 'stop',
    usage: null,
    costUsd: null,
    ...(problem === undefined ? {} : { problem }),
  }
}

const call = { callId: 'a', tool: 'Bash', args: {}, argsDigest: '' }
const stepped: NewEvent = {
  type: 'model-replied',
  text: '',
  toolCalls: [call],
  finish: 'tool-calls',
  usage: null,
  costUsd: null,
}

function ended(turn: number, feedback: string): NewEvent {
  const transition = { kind: 'continue', reason: 'verifier_feedback', findings: [], verdicts: [] } as const
  return { type: 'turn-ended', turn, transition, feedback }
}

function brokenOff(notice: string): NewEvent {
  const failure = { kind: 'interrupted', message: 'stopped', retryable: true } as const
  return { type: 'model-failed', failure, usage: null, costUsd: null, notice }
}

describe('given the first turn', () => {
  it('is the task and nothing else', () => {
    expect(promptFor(after(goal))).toBe('Make it green.')
  })
})

describe('given a later turn', () => {
  it('begins with the task and ends with what happened last', () => {
    const prompt = promptFor(after(goal, replied('done'), ended(1, 'It is not: 2 tests fail.')))
    expect(prompt).toMatch(/^Make it green\.\n\n/)
    expect(prompt).toContain('(1 turn)')
    expect(prompt).toMatch(/\n\nIt is not: 2 tests fail\.$/)
  })

  it('leaves out what happened before that', () => {
    const prompt = promptFor(
      after(goal, replied('one'), ended(1, 'old news'), replied('two'), ended(2, 'new news')),
    )
    expect(prompt).not.toContain('old news')
    expect(prompt).toContain('new news')
    expect(prompt).toContain('(2 turns)')
  })

  it('tells the problem of the last turn', () => {
    const prompt = promptFor(after(goal, replied('half', 'exit code [3]'), ended(1, 'red')))
    expect(prompt).toContain('\n\nYour last turn had a problem: exit code [3]\n\n')
    expect(prompt).not.toContain('half')
  })
})

function steered(text: string): NewEvent {
  return { type: 'agent-steered', goalId: 'goal', text }
}

describe('given words of the user', () => {
  const turns = [1, 2, 3, 4, 5].flatMap((turn) => [replied(`turn ${turn}`), ended(turn, `red ${turn}`)])

  it('are in every later prompt of an agent that remembers nothing, once, after the task', () => {
    const prompt = promptFor(after(goal, replied('one'), ended(1, 'red'), steered('Use tabs.'), ...turns))
    expect(prompt).toMatch(/^Make it green\.\n\nUse tabs\.\n\n/)
    expect(prompt.split('Use tabs.')).toHaveLength(2)
  })

  it('are sent once to an agent that continues its session', () => {
    const told = [goal, replied('one'), ended(1, 'red'), steered('Use tabs.')]
    expect(newsFor(after(...told))).toBe('Use tabs.\n\nred')
    expect(newsFor(after(...told, ...turns))).toBe('red 5')
  })

  it('are sent with the next prompt if they came in the middle of a turn', () => {
    const told = after(goal, stepped, steered('Use tabs.'), stepped, replied('done'), ended(1, 'red'))
    expect(newsFor(told)).toBe('Use tabs.\n\nred')
    expect(newsFor(told, 1)).toBe('red')
    expect(promptFor(told)).toContain('Use tabs.')
  })
})

describe('given an agent whose replies with calls are steps of a turn', () => {
  it('counts turns, not steps', () => {
    const prompt = promptFor(
      after(goal, stepped, stepped, replied('done'), ended(1, 'red'), stepped, stepped),
    )
    expect(prompt).toContain('(1 turn)')
  })
})

describe('given an agent that goes on with its session', () => {
  it('is told the task at first', () => {
    expect(newsFor(after(goal))).toBe('Make it green.')
    expect(newsFor(after(goal, brokenOff('Look before you repeat.')))).toBe(
      'Make it green.\n\nLook before you repeat.',
    )
  })

  it('is told later only what it does not know', () => {
    expect(newsFor(after(goal, replied('done', 'it hung'), ended(1, '2 tests fail.')))).toBe(
      'Your last turn had a problem: it hung\n\n2 tests fail.',
    )
  })

  it('is never told nothing', () => {
    expect(newsFor(after(goal, replied('done')))).toBe('Go on with the task.')
  })
})
