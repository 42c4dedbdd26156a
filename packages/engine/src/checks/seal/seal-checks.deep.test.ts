/** Authors of every kind write checks for a small project; what becomes of the checks is found out with real commands. */
import { afterEach, describe, expect, it } from 'vitest'
import {
  answering,
  author,
  comparing,
  countsQuantities,
  emptyIsNothing,
  removeFolders,
  sealedBy,
  solved,
} from './fixtures/shop.ts'
import type { ProposedCheck } from './proposal.ts'

afterEach(removeFolders)

const saying = (title: string, command: string, failsWith: string): ProposedCheck => ({
  kind: 'acceptance',
  title,
  files: [],
  command,
  failsWith,
})

describe('given a good author', () => {
  it('its checks are sealed under names that say nothing, with what they cost', async () => {
    const { checks, dropped, authors } = await sealedBy([author('good', [countsQuantities, emptyIsNothing])])
    expect(dropped).toEqual([])
    expect(checks.map(({ name, kind }) => [name, kind])).toEqual([
      ['sealed 1', 'acceptance'],
      ['sealed 2', 'guard'],
    ])
    expect(authors).toEqual([{ name: 'good', costUsd: 0.01 }])
  })
})

describe('given an author whose checks are dropped', () => {
  const mentions = `node -e "import('node:fs').then((fs) => { if (!fs.readFileSync('src/price.js', 'utf8').includes('quantity')) throw new Error('no word of it') })"`

  it.each<[string, ProposedCheck, string]>([
    [
      'lazy, for it only loads the source',
      saying('loads', 'node -e "import(\'./src/price.js\')"', 'cannot load'),
      'it is green on the baseline tree already',
    ],
    ['lazy, for it looks for a word', saying('mentions', mentions, 'no word of it'), 'notice only'],
    [
      'wrong about the reason',
      comparing('reason', 'total([{ price: 2, quantity: 3 }])', 6, 'total is not a function'),
      'not for the stated reason',
    ],
    [
      'wrong about the task',
      comparing('wrong', 'total([{ price: 2, quantity: 3 }])', 7, '2 !== 7'),
      "it is not green on its author's own solution",
    ],
    [
      'always green, by its line',
      saying('or true', 'node test/none.js || true', 'no such file'),
      'it may prove nothing',
    ],
    [
      'always green, as a guard',
      { kind: 'guard', title: 'nothing', files: [], command: 'node --version' },
      'nothing can make it fail',
    ],
    [
      "copying the source's bug",
      comparing('copied', 'total([{ price: 2, quantity: 3 }])', 2),
      "it is not green on its author's own solution",
    ],
    [
      'wrong about the project',
      comparing('guard', 'total([{ price: 2 }])', 3),
      'it is a guard, and it is red on the baseline tree',
    ],
    [
      'laying its file over one of the project',
      { ...countsQuantities, files: [{ path: 'src/price.js', text: '' }] },
      'would replace one of the project',
    ],
    [
      'writing outside',
      { ...countsQuantities, files: [{ path: '../price.js', text: '' }] },
      'is no path inside the project',
    ],
  ])('%s', async (_kind, check, reason) => {
    const { checks, dropped } = await sealedBy([author('poor', [check])])
    expect(checks).toEqual([])
    expect(dropped).toHaveLength(1)
    expect(dropped[0]?.reason).toContain(reason)
  })

  it('wrong about the task, with a solution to match, contradicts the tests of the project', async () => {
    const wrong = comparing('wrong', 'total([{ price: 2, quantity: 3 }])', 7, '2 !== 7')
    const { checks, dropped } = await sealedBy([
      author('wrong', [wrong], solved('price * (quantity ?? 1) + 1')),
    ])
    expect(checks).toEqual([])
    expect(dropped[0]?.reason).toContain('it contradicts node test/total.js, which is green')
  })

  it('changing the tests of the project to suit itself', async () => {
    const solution = [{ path: 'test/total.js', text: '' }]
    const { dropped } = await sealedBy([author('sly', [countsQuantities], solution)])
    expect(dropped[0]?.reason).toContain('it changes test/total.js, which belongs to the checks')
  })
})

describe('given two authors', () => {
  it('who agree, the checks of both are sealed', async () => {
    const second = comparing('two kinds', 'total([{ price: 1, quantity: 2 }, { price: 3 }])', 5, '4 !== 5')
    const { checks } = await sealedBy([author('one', [countsQuantities]), author('other', [second])])
    expect(checks.map(({ author: by }) => by)).toEqual(['one', 'other'])
  })

  it('who disagree, neither is believed', async () => {
    const squared = comparing('squares', 'total([{ price: 2, quantity: 3 }])', 18, '2 !== 18')
    const { checks, dropped } = await sealedBy([
      author('one', [countsQuantities]),
      author('other', [squared], solved('price * (quantity ?? 1) ** 2')),
    ])
    expect(checks).toEqual([])
    expect(dropped.map(({ author: by }) => by)).toEqual(['one', 'other'])
    expect(dropped[0]?.reason).toContain('it disagrees with other')
    expect(dropped[1]?.reason).toContain('it disagrees with one')
  })

  it("and one keeps the source's bug in check and solution alike, the other tells", async () => {
    const copied = comparing('copied', 'total([{ price: 2, quantity: 3 }])', 2)
    const { checks, dropped } = await sealedBy([
      author('good', [emptyIsNothing]),
      author('copying', [copied], solved('price')),
    ])
    expect(checks.map(({ author: by }) => by)).toEqual(['good'])
    expect(dropped).toHaveLength(1)
    expect(dropped[0]?.reason).toContain('it disagrees with good')
  })

  it('and one is not there, the other is enough', async () => {
    const down = { name: 'down', propose: () => Promise.reject(new Error('connect ECONNREFUSED')) }
    const { checks, authors } = await sealedBy([down, author('good', [emptyIsNothing])])
    expect(checks).toHaveLength(1)
    expect(authors[0]).toEqual({
      name: 'down',
      costUsd: null,
      problem: 'gave no answer: connect ECONNREFUSED',
    })
  })
})

describe('given an answer that is none', () => {
  it.each([
    ['text', 'Here you are!'],
    ['nothing', undefined],
    ['no check', { checks: [], solution: [] }],
    [
      'a check without a reason',
      { checks: [{ ...countsQuantities, failsWith: '' }], solution: solved('price') },
    ],
  ])('%s: it is told, and what it cost', async (_kind, proposal) => {
    const { checks, authors } = await sealedBy([answering('odd', proposal)])
    expect(checks).toEqual([])
    expect(authors[0]?.costUsd).toBe(0.01)
    expect(authors[0]?.problem).toContain('is not understood')
  })
})

describe('given somebody who is shown the checks', () => {
  it('a no drops one before anything of it runs, a yes is recorded by name', async () => {
    const { checks, dropped } = await sealedBy([author('good', [countsQuantities, emptyIsNothing])], {
      permit: ({ kind }) =>
        Promise.resolve(
          kind === 'guard' ? { kind: 'permitted', by: 'Ada' } : { kind: 'denied', reason: 'Ada said no' },
        ),
    })
    expect(checks).toMatchObject([{ name: 'sealed 1', kind: 'guard', approvedBy: 'Ada' }])
    expect(dropped).toEqual([{ author: 'good', reason: 'Ada said no' }])
  })
})
