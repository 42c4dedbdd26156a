/** The tables are total both ways, name nothing twice, and never turn what is not verified into a success. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exitCodeOf, outcomeOf, resumableOutcomes, stopOrder } from '../stop-order.ts'
import { counterpartOf, labelText, ownLabels, rowsOf, type OwnEnd } from './counterparts.ts'
import { labels } from './labels.ts'
import type { Vocabulary } from './vocabulary.ts'

const vocabularies = labels.systems.flatMap(({ id, vocabularies }) =>
  vocabularies.map((vocabulary): readonly [string, Vocabulary] => [`${id} ${vocabulary.field}`, vocabulary]),
)

const ends = ownLabels().filter((own) => own.kind === 'end')
const unverifiedEnds = ends.filter(({ name }) => name !== 'task_complete')

function outcome(name: OwnEnd['name']): string {
  return outcomeOf[name === 'tampered' ? 'verifier_failed_unrecoverable' : name]
}

function wordsOf(system: string, field: string): readonly string[] {
  const found = labels.systems.find(({ id }) => id === system)?.vocabularies
  return found?.find((vocabulary) => vocabulary.field === field)?.words ?? []
}

describe('given our own labels', () => {
  it('then every rank of the stop order has one', () => {
    const ranks = stopOrder.map((rank) => (rank.startsWith('hard_cap_') ? 'hard_cap' : rank))
    expect(labels.ends.map(({ name }) => name).toSorted()).toEqual([...new Set(ranks)].toSorted())
  })

  it('then outcome, exit code and what can be resumed are those of the stop order', () => {
    for (const { reason, outcome, exitCode, resume } of labels.ends) {
      expect(outcome).toBe(outcomeOf[reason])
      expect(exitCode).toBe(exitCodeOf[outcomeOf[reason]])
      const finished = reason === 'hard_cap' ? 'with-top-up' : 'no'
      expect(resume).toBe(resumableOutcomes.includes(outcome) ? 'yes' : finished)
    }
  })

  it('then only one end exits with 0', () => {
    expect(labels.ends.filter(({ exitCode }) => exitCode === 0).map(({ name }) => name)).toEqual([
      'task_complete',
    ])
  })

  it('then each is said in one sentence, and no two in the same one', () => {
    const sentences = [
      ...labels.ends.flatMap(({ meaning, next }) => [meaning, next]),
      ...Object.values(labels.turns),
      ...Object.values(labels.caps).map(({ meaning }) => meaning),
      ...Object.values(labels.detectors),
    ]
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z"][^.]*\.$/)
    expect(new Set(sentences).size).toBe(sentences.length)
  })

  it('then a cap and a detector stand beside the reason, as in the last line of a run', () => {
    expect(ends.map(labelText)).toContain('hard_cap tokens')
    expect(ends.map(labelText)).toContain('loop_detected ping_pong')
    expect(labelText({ kind: 'end', name: 'hard_cap' })).toBe('hard_cap')
    expect(labelText({ kind: 'turn', reason: 'steering' })).toBe('steering')
  })
})

describe('given the lists that are known', () => {
  it('then those of the protocol and of the conventions are neither longer nor shorter', () => {
    expect(wordsOf('acp', 'stopReason')).toEqual([
      'end_turn',
      'max_tokens',
      'max_turn_requests',
      'refusal',
      'cancelled',
    ])
    expect(wordsOf('opentelemetry', 'gen_ai.response.finish_reasons')).toEqual([
      'stop',
      'length',
      'content_filter',
      'tool_call',
      'error',
    ])
  })

  it.each([
    ['opentelemetry', 'gen_ai.agent.finish_reason (proposed)', 9],
    ['claude-code', 'terminal_reason', 19],
    ['claude-code', 'result subtype', 5],
    ['claude-code', 'transition', 10],
    ['codex', 'goal status', 6],
    ['gemini-cli', 'exit code', 10],
    ['openclaw', 'detector of tool.loop', 6],
    ['hermes', 'turn_exit_reason', 23],
    ['adk-loop-lab', 'Decision', 7],
    ['adk-loop-lab', 'RunStatus', 6],
    ['ralph-orchestrator', 'termination reason', 13],
    ['loop-engineer', 'end state', 7],
  ])('then %s has of %s so many: %i', (system, field, count) => {
    expect(wordsOf(system, field)).toHaveLength(count)
  })

  it('then every system and every field is named once', () => {
    const names = vocabularies.map(([name]) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { id } of labels.systems) expect(id).toMatch(/^[a-z][a-z-]*$/)
  })
})

describe.each(vocabularies)('given %s', (_, vocabulary) => {
  const { words, successWords } = vocabulary

  it('then every word has a label of ours, and no other has', () => {
    expect(Object.keys(vocabulary.ours).toSorted()).toEqual([...new Set(words)].toSorted())
    expect(new Set(words).size).toBe(words.length)
  })

  it('then every label of ours has one of its words, or a reason why it has none', () => {
    const rows = rowsOf(vocabulary)
    expect(rows).toHaveLength(ownLabels().length)
    for (const { own, counterpart } of rows) {
      if (counterpart.word === null) expect(counterpart.note, labelText(own)).not.toBe('')
      else expect(words).toContain(counterpart.word)
    }
  })

  it('then its words for success are its own, and ours alone is task_complete', () => {
    for (const word of successWords) expect(words).toContain(word)
    for (const own of unverifiedEnds)
      expect(successWords, labelText(own)).not.toContain(counterpartOf(vocabulary, own).word)
    const complete = vocabulary.ends.task_complete.word
    if (complete !== null && successWords.length > 0) expect(successWords).toContain(complete)
  })

  it('then silence is not taken for success', () => {
    if (vocabulary.isSuccessWhenAbsent !== true) return
    for (const own of unverifiedEnds)
      expect(counterpartOf(vocabulary, own).word, labelText(own)).not.toBeNull()
  })

  it('then none of its words becomes task_complete, there and back too', () => {
    for (const word of words) expect(vocabulary.ours[word]).not.toMatchObject({ name: 'task_complete' })
    fc.assert(
      fc.property(fc.constantFrom(...ends), (own) => {
        const { word } = counterpartOf(vocabulary, own)
        const back = word === null ? undefined : vocabulary.ours[word]
        expect(back?.kind === 'end' && outcome(back.name) === 'verified').toBe(false)
      }),
    )
  })

  it('then a word without a note comes back as an end of the same outcome', () => {
    for (const own of unverifiedEnds) {
      const { word, note } = counterpartOf(vocabulary, own)
      const back = word === null || note !== undefined ? undefined : vocabulary.ours[word]
      if (back?.kind !== 'end') continue
      expect(outcome(back.name), `${labelText(own)} → ${String(word)}`).toBe(outcome(own.name))
    }
  })

  it('then our label for an end names a cap or a detector only where it may', () => {
    for (const own of Object.values(vocabulary.ours)) {
      if (own.kind !== 'end') continue
      expect(own.cap === undefined || own.name === 'hard_cap').toBe(true)
      expect(own.detector === undefined || own.name === 'loop_detected').toBe(true)
    }
  })
})

describe('given an end that is not in the tables', () => {
  const [openclaw] = labels.systems.find(({ id }) => id === 'openclaw')?.vocabularies ?? []
  const [acp] = labels.systems.find(({ id }) => id === 'acp')?.vocabularies ?? []
  if (openclaw === undefined || acp === undefined) throw new TypeError('a system is gone')

  it('then a detector of the user has the word for loops', () => {
    expect(counterpartOf(openclaw, { kind: 'end', name: 'loop_detected', detector: 'mine' }).word).toBeNull()
    expect(counterpartOf(acp, { kind: 'end', name: 'loop_detected', detector: 'toString' }).word).toBe(
      'max_turn_requests',
    )
    expect(counterpartOf(openclaw, { kind: 'end', name: 'loop_detected', detector: 'ping_pong' }).word).toBe(
      'ping_pong',
    )
  })

  it('then a cap without a name has a word only where every cap has the same', () => {
    const decision = labels.systems.find(({ id }) => id === 'adk-loop-lab')?.vocabularies[0]
    if (decision === undefined) throw new TypeError('a system is gone')
    expect(counterpartOf(acp, { kind: 'end', name: 'hard_cap' }).word).toBeNull()
    expect(counterpartOf(decision, { kind: 'end', name: 'hard_cap' }).word).toBe('BUDGET_EXHAUSTED')
  })
})
