import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import type { Judge, JudgeAnswer } from '../../ports/judges.ts'
import { aCase, neverAborted } from './fixtures/cases.ts'
import { judgePanel, type JudgePanelOptions } from './panel.ts'

const letters = {
  P: { kind: 'met', reason: 'all there', quotes: [], costUsd: 0.01 },
  F: { kind: 'not-met', reason: 'half missing', category: 'incomplete', quotes: [], costUsd: 0.02 },
  A: { kind: 'abstained', reason: 'no access', quotes: [], costUsd: null },
} as const satisfies Record<string, JudgeAnswer>

function judge(name: string, answer: unknown): Judge {
  return { name, family: name, identity: name, judge: async () => answer as JudgeAnswer }
}

/** Judges `j1`, `j2`, … that say these letters. */
function panelOf(word: string, options: JudgePanelOptions = {}): Judge {
  const judges = word
    .split('')
    .map((letter, index) => judge(`j${index + 1}`, letters[letter as keyof typeof letters]))
  return judgePanel(judges, options)
}

function ask(panel: Judge): Promise<JudgeAnswer> {
  return panel.judge(aCase(), neverAborted)
}

describe('given a panel and how many must be content', () => {
  it.each([
    ['PP', 2, 'met'],
    ['PF', 1, 'met'],
    ['PF', 2, 'not-met'],
    ['FF', 1, 'not-met'],
    ['PA', 1, 'met'],
    ['PA', 2, 'abstained'],
    ['FA', 2, 'not-met'],
    ['FA', 1, 'abstained'],
    ['AA', 1, 'abstained'],
    ['PPF', undefined, 'met'],
    ['PFF', undefined, 'not-met'],
    ['PFA', undefined, 'abstained'],
    ['PPA', undefined, 'met'],
    ['FFA', undefined, 'not-met'],
  ] as const)('%s of which %s must be makes %s', async (word, atLeast, kind) => {
    const answer = await ask(panelOf(word, atLeast === undefined ? {} : { atLeast }))
    expect(answer.kind).toBe(kind)
  })

  it('says who disagreed, and keeps every word with its cost', async () => {
    const answer = await ask(panelOf('PPFA', { atLeast: 2 }))
    expect(answer.reason).toMatch(/^2 met, 1 not met, 1 cannot tell; j\d: all there; j\d: all there$/)
    expect(answer.costUsd).toBeCloseTo(0.04)
    expect(answer.votes?.map(({ judge: name, said }) => `${name} ${said}`).toSorted()).toEqual([
      'j1 met',
      'j2 met',
      'j3 not-met',
      'j4 abstained',
    ])
  })
})

describe('given a member that cannot be believed', () => {
  it.each<[string, Judge]>([
    ['throws', { name: 'odd', judge: () => Promise.reject(new Error('no quota')) }],
    ['answers nonsense', judge('odd', 'met')],
    ['quotes what stands nowhere', judge('odd', { ...letters.P, quotes: [{ text: 'London' }] })],
  ])('one that %s has abstained', async (_, odd) => {
    const answer = await ask(judgePanel([judge('even', letters.P), odd], { atLeast: 2 }))
    expect(answer.kind).toBe('abstained')
    expect(answer.votes?.find(({ judge: name }) => name === 'odd')?.said).toBe('abstained')
  })

  it('a panel of which nobody can be asked could not be asked', async () => {
    const gone = { ...letters.A, unavailable: true }
    expect(await ask(judgePanel([judge('a', gone), judge('b', gone)]))).toMatchObject({ unavailable: true })
    expect(await ask(judgePanel([judge('a', gone), judge('b', letters.A)]))).not.toHaveProperty('unavailable')
  })
})

describe('given misuse', () => {
  it.each([
    [['a'], {}],
    [['a', 'a'], {}],
    [['a', 'b'], { atLeast: 3 }],
    [['a', 'b'], { atLeast: 0 }],
  ])('refuses judges %j with %j', (names, options) => {
    expect(() =>
      judgePanel(
        names.map((name) => judge(name, letters.P)),
        options,
      ),
    ).toThrow(UsageError)
  })
})
