import { describe, expect, it } from 'vitest'
import { change } from './fixtures/memory-trees.ts'
import { planOf } from './plan.ts'

describe('given what was changed', () => {
  it('takes all work back at once, and plants faults in its changed lines', () => {
    const changes = [
      change('a.js', 'let a = 1\nlet b = c\n', 'let a = 1\nlet b = c < d\n'),
      change('new.js', null, 'export const n = 3\n'),
      change('gone.js', 'x\n', null),
      change('style.css', 'a {}\n', 'b {}\n'),
      change('test/a.test.js', 'one\n', 'two\n'),
    ]
    const [revert, ...mutants] = planOf(changes, 8).faults
    expect(revert?.overlay).toEqual(
      new Map([
        ['a.js', 'let a = 1\nlet b = c\n'],
        ['new.js', null],
        ['gone.js', 'x\n'],
        ['style.css', 'a {}\n'],
      ]),
    )
    expect(mutants.map(({ description }) => description).sort()).toEqual([
      'a.js:2: `<` became `<=`',
      'a.js:2: `<` became `>=`',
      'new.js:1: `3` became `2`',
      'new.js:1: `3` became `4`',
    ])
    for (const { overlay } of mutants) expect([...overlay.keys()]).toHaveLength(1)
  })

  it.each([
    ['nothing', []],
    ['documents alone', [change('README.md', 'a', 'b'), change('LICENSE', 'a', 'b')]],
    ['tests alone', [change('test/a.test.js', 'a', 'b')]],
  ])('plants nothing where %s was changed', (_, changes) => {
    expect(planOf(changes, 8).faults).toEqual([])
  })

  it('where no fault can be planted, the change is taken back all the same', () => {
    const { faults, notes } = planOf([change('query.sql', 'select 1', 'select 2')], 8)
    expect(faults.map(({ kind }) => kind)).toEqual(['revert'])
    expect(notes).toEqual([
      'taken back as a whole only, for no fault can be planted in such files: query.sql',
    ])
  })

  it('leaves alone what is no text, and says so', () => {
    const { faults, notes } = planOf([change('a.png', null, null), change('b.js', 'f()', 'g()')], 0)
    expect(faults[0]?.overlay.has('a.png')).toBe(false)
    expect(notes).toEqual(['left as they are, for they are no text: a.png'])
  })
})
