import { test, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { failedVerdict, given, passedVerdict, runStarted, stamp } from '@donecheck/core/testing'
import {
  modelCalled,
  modelClaimed,
  modelProposed,
  runStopped,
  toolCall,
  toolCalled,
  toolReturned,
  verdictGiven,
  verificationStarted,
} from '@donecheck/core/internal/testing/facts'
import { finalLine, harmless, oneLine, resultLine, timeline } from './index.ts'

const start = runStarted({ verifiers: ['npm test'] })

describe('given a run that has ended', () => {
  it('with checks that were held out, then the line and the result tell how many of both passed', () => {
    const { state } = given(
      runStarted({ verifiers: ['npm test', { name: 'hidden', role: 'held-out' }] }),
      modelCalled(1),
      modelClaimed('Done.'),
      verificationStarted('claim', 'npm test', 'hidden'),
      verdictGiven(passedVerdict('npm test')),
      verdictGiven(failedVerdict('hidden')),
      runStopped('hard_cap', { outcome: 'exhausted', cap: 'iterations' }),
    )
    expect(finalLine(state)).toContain(' · held-out 0 of 1, shown 1 of 1 · ')
    expect(resultLine(state).heldOut).toEqual({
      shown: { passed: 1, total: 1 },
      heldOut: { passed: 0, total: 1 },
      gap: 1,
    })
  })

  it('by kill -9, then the result still has its shape and says that it can be resumed', () => {
    const { state } = given(start, modelCalled(1))
    expect(resultLine(state)).toMatchObject({
      outcome: 'interrupted',
      exitCode: 130,
      message: expect.stringContaining('resumed') as string,
    })
  })
})

describe('given a timeline', () => {
  it('then turns, tools, verdicts and what was said stand in it, each with its time', () => {
    const events = stamp([
      start,
      modelCalled(1),
      modelProposed(toolCall('c1', 'write_file', { path: 'a.ts' })),
      toolCalled('c1'),
      toolReturned('c1', 'written'),
      verificationStarted('change', 'npm test'),
      verdictGiven(passedVerdict('npm test')),
    ])
    const shown = timeline(events).map(({ text }) => text)
    for (const part of ['turn 1', 'write_file a.ts', 'ok: written', 'npm test passed'])
      expect(
        shown.some((line) => line.includes(part)),
        part,
      ).toBe(true)
    expect(shown.every((line) => /^ *\d+\.\d\d /.test(line))).toBe(true)
  })

  it.each([
    ['what failed', [failedVerdict('npm test')], 'the agent is told what still fails'],
    ['green checks that prove nothing', [passedVerdict('npm test')], 'what passed had passed before'],
    ['an agent that crashed before any check', [], 'nothing was checked'],
  ])('after %s, then it says in plain words why it goes on', (_, verdicts, words) => {
    const lines = verdicts.map(({ verifier, status }) => ({ verifier, status }))
    const transition = {
      ...{ kind: 'continue' as const, reason: 'verifier_feedback' as const },
      ...{ findings: [], verdicts: lines },
    }
    const ended = { type: 'turn-ended' as const, turn: 1, transition }
    const events = stamp([start, modelCalled(1), modelClaimed('Done.'), ended])
    expect(timeline(events).at(-1)?.text ?? '').toContain(`goes on: ${words}`)
  })
})

describe('given text from a model or a process', () => {
  it('then escape sequences and marks that turn the writing round are made visible', () => {
    expect(harmless('\u001B[2J\u202Eevil')).toBe('␛[2J\u{FFFD}evil')
  })

  test.prop([fc.string({ unit: 'binary' })])('then nothing that moves a cursor is left', (text) => {
    // eslint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(harmless(text)).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/)
  })

  test.prop([fc.string(), fc.integer({ min: 1, max: 50 })])(
    'then one line is one line, and no longer than asked',
    (text, length) => {
      expect(oneLine(text, length)).not.toContain('\n')
      expect(oneLine(text, length).length).toBeLessThanOrEqual(length)
    },
  )
})
