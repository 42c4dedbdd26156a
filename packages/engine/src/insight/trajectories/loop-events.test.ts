import { describe, expect, it } from 'vitest'
import { eventsOfRecording, parseLoopEvent, runOfLoopEvents } from './import.ts'

const line = (type: string, iteration: number, payload: object) =>
  JSON.stringify({
    event_id: `${type}-${iteration}`,
    run_id: 'r1',
    iteration,
    timestamp: '2026-01-01T00:00:00+00:00',
    event_type: type,
    actor: 'system',
    payload,
    parent_event_id: null,
    correlation_id: null,
  })

/** An iteration in the order in which such a loop writes it. */
const iteration = (number: number, evaluations: readonly object[], decision: string) => [
  line('ITERATION_STARTED', number, {}),
  line('MODEL_CALL', number, { phase: 'PLAN', prompt: 'go on' }),
  line('MODEL_RESPONSE', number, { phase: 'PLAN', response: `draft ${number}` }),
  line('TOOL_CALL', number, { tool_name: 'write_file', tool_args: { path: 'draft.md' } }),
  line('TOOL_RESULT', number, { tool_name: 'write_file', result: 'written' }),
  ...evaluations.map((evaluation) => line('EVALUATION_RESULT', number, evaluation)),
  line('STOP_DECISION', number, { decision }),
  line('ITERATION_COMPLETED', number, { decision }),
]

const evaluation = (evaluator: string, status: string, summary = '') => ({
  evaluator_name: evaluator,
  status,
  score: status === 'PASS' ? 1 : 0.4,
  summary,
  failures: [],
})

function stopOf(lines: readonly string[]) {
  const events = lines.flatMap((one) => parseLoopEvent(one) ?? [])
  const run = runOfLoopEvents(events, 'events.jsonl')
  const last = eventsOfRecording(run, 1).at(-1)
  return { run, stop: last?.type === 'run-stopped' ? last.transition : undefined }
}

const started = (example: string) => line('RUN_STARTED', 0, { goal: 'refine it', example_id: example })

describe('given the events of a loop with evaluators', () => {
  it('refined a document until nothing got better: says so, and what was wrong', () => {
    const long = evaluation('word-count', 'FAIL', '310 words, at most 260')
    const { run, stop } = stopOf([
      started('level-1'),
      ...iteration(1, [long], 'CONTINUE'),
      ...iteration(2, [long, evaluation('critic', 'PASS')], 'STAGNATED'),
      line('RUN_COMPLETED', 2, { status: 'FAILED', decision: 'STAGNATED' }),
    ])
    expect(run).toMatchObject({
      id: 'r1',
      agent: 'level-1',
      prompt: 'refine it',
      outcome: { resolved: false },
    })
    expect(run.turns).toHaveLength(2)
    expect(run.turns[1]).toMatchObject({
      text: 'draft 2',
      toolCalls: [{ name: 'write_file', result: 'written' }],
    })
    expect(stop).toMatchObject({ reason: 'stagnated', outcome: 'exhausted' })
    expect(stop?.message).toContain('stagnated (word-count FAIL (0.4): 310 words, at most 260)')
  })

  it('had no corpus to look into: is blocked', () => {
    const { stop } = stopOf([
      started('level-2'),
      ...iteration(1, [evaluation('citations', 'ERROR', 'the corpus is empty')], 'BLOCKED'),
    ])
    expect(stop).toMatchObject({ reason: 'blocked', outcome: 'blocked' })
    expect(stop?.message).toContain('the corpus is empty')
  })

  it('used up its budget: ended at a cap', () => {
    const { stop } = stopOf([
      started('level-3'),
      ...iteration(1, [evaluation('tests', 'FAIL')], 'BUDGET_EXHAUSTED'),
    ])
    expect(stop).toMatchObject({ reason: 'hard_cap', outcome: 'exhausted' })
  })

  it('says that it succeeded: is not verified by us', () => {
    const { run, stop } = stopOf([
      started('level-1'),
      ...iteration(1, [evaluation('critic', 'PASS')], 'SUCCESS'),
    ])
    expect(run.outcome.resolved).toBe(true)
    expect(stop?.outcome).toBe('unverified')
  })

  it('broke: its error is the end', () => {
    const { stop } = stopOf([
      started('level-1'),
      line('ERROR', 1, { message: 'no model' }),
      line('RUN_FAILED', 1, { message: 'no model' }),
    ])
    expect(stop?.message).toContain('no model')
    expect(stop?.outcome).toBe('error')
  })
})

describe('given another line', () => {
  it.each(['', '{', '{"run_id":"x"}', '[]', 'null'])('is none of its events: %j', (text) => {
    expect(parseLoopEvent(text)).toBeUndefined()
  })
})
