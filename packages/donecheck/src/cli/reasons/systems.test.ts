/** The tables are total both ways, name nothing twice, and never turn what is not verified into a success. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exitCodeOf, outcomeOf, resumableOutcomes, stopOrder } from '@donecheck/core/stops'
import { capTable } from '@donecheck/core/budgets'
import type { EndName } from './own-labels.ts'
import { counterpartOf, labels, labelText, ownLabels, type Vocabulary } from './find-reason.ts'
import { rowsOf } from './fixtures/table-rows.ts'

const vocabularies = labels.systems.flatMap(({ id, vocabularies }) =>
  vocabularies.map((vocabulary): readonly [string, Vocabulary] => [`${id} ${vocabulary.field}`, vocabulary]),
)

const ends = ownLabels.filter((own) => own.kind === 'end')
const unverifiedEnds = ends.filter(({ name }) => name !== 'task_complete')

function outcome(name: EndName): string {
  return outcomeOf[name === 'tampered' ? 'verifier_failed_unrecoverable' : name]
}

function wordsOf(system: string, field: string): readonly string[] {
  const found = labels.systems.find(({ id }) => id === system)?.vocabularies
  return Object.keys(found?.find((vocabulary) => vocabulary.field === field)?.ours ?? {})
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

  it('then every system and every field is named once', () => {
    const names = vocabularies.map(([name]) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { id } of labels.systems) expect(id).toMatch(/^[a-z][a-z-]*$/)
  })
})

describe.each(vocabularies)('given %s', (_, vocabulary) => {
  const { ours, successWords, theirs } = vocabulary
  const words = Object.keys(ours)

  it('then it names nothing of ours that there is not', () => {
    const parts = Object.values(capTable).map(({ kind }) => `hard_cap ${kind}`)
    const names = [...ownLabels.map(labelText), ...parts, 'hard_cap', 'loop_detected']
    for (const name of Object.keys(theirs)) expect([...names, 'every end', 'every turn']).toContain(name)
  })

  it('then every label of ours has one of its words, or a reason why it has none', () => {
    const rows = rowsOf(vocabulary)
    expect(rows).toHaveLength(ownLabels.length)
    for (const { own, counterpart } of rows) {
      if (counterpart.word === null) expect(counterpart.note, labelText(own)).not.toBe('')
      else expect(words).toContain(counterpart.word)
    }
  })

  it('then its words for success are its own, and ours alone is task_complete', () => {
    for (const word of successWords) expect(words).toContain(word)
    for (const own of unverifiedEnds)
      expect(successWords, labelText(own)).not.toContain(counterpartOf(vocabulary, own).word)
    const complete = counterpartOf(vocabulary, { kind: 'end', name: 'task_complete' }).word
    if (complete !== null && successWords.length > 0) expect(successWords).toContain(complete)
  })

  it('then silence is not taken for success', () => {
    if (!vocabulary.isSuccessWhenAbsent) return
    for (const own of unverifiedEnds)
      expect(counterpartOf(vocabulary, own).word, labelText(own)).not.toBeNull()
  })

  it('then none of its words becomes task_complete, there and back too', () => {
    for (const word of words) expect(ours[word]).not.toMatchObject({ name: 'task_complete' })
    fc.assert(
      fc.property(fc.constantFrom(...ends), (own) => {
        const { word } = counterpartOf(vocabulary, own)
        const back = word === null ? undefined : ours[word]
        expect(back?.kind === 'end' && outcome(back.name) === 'verified').toBe(false)
      }),
    )
  })

  it('then a word without a note comes back as an end of the same outcome', () => {
    for (const own of unverifiedEnds) {
      const { word, note } = counterpartOf(vocabulary, own)
      const back = word === null || note !== undefined ? undefined : ours[word]
      if (back?.kind !== 'end') continue
      expect(outcome(back.name), `${labelText(own)} → ${String(word)}`).toBe(outcome(own.name))
    }
  })

  it('then our label for an end names a cap or a detector only where it may', () => {
    for (const own of Object.values(ours)) {
      if (own.kind !== 'end') continue
      expect(own.cap === undefined || own.name === 'hard_cap').toBe(true)
      expect(own.detector === undefined || own.name === 'loop_detected').toBe(true)
    }
  })
})
