import { describe, expect, it } from 'vitest'
import { converse, emptyConversation, type Conversation } from '../../state/index.ts'
import type { RunEvent, NewEvent } from '../../events/index.ts'
import { newsFor, promptFor } from './fit.ts'

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

  it('tells a notice of a turn that was broken off', () => {
    expect(promptFor(after(goal, brokenOff('Look before you repeat.')))).toBe(
      'Make it green.\n\nLook before you repeat.',
    )
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

  it('tells the problem of a last turn without words', () => {
    expect(promptFor(after(goal, replied('', 'it hung')))).toContain('Your last turn had a problem: it hung')
  })

  it('tells a notice', () => {
    const prompt = promptFor(
      after(goal, replied('one'), ended(1, 'red'), brokenOff('Look before you repeat.')),
    )
    expect(prompt).toContain('Look before you repeat.')
  })
})

function steered(text: string): NewEvent {
  return { type: 'drive-steered', goalId: 'goal', text }
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

  it('tells again what was said before the turn that was broken off', () => {
    expect(promptFor(after(goal, replied('done'), ended(1, '2 tests fail.'), stepped))).toContain(
      '2 tests fail.',
    )
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
