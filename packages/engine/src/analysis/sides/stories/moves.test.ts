import { describe, expect, it } from 'vitest'
import { placementsOf, sidesIn, type Files } from '../fixtures/trees.ts'

const money =
  'pub fn half(cents: i64) -> i64 {\n    cents / 2\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn halves() {\n        assert_eq!(super::half(4), 2);\n    }\n}\n'
const silenced =
  '// eslint-disable-next-line eqeqeq\nexport const isTwo = (n) => n == 2\nexport const two = 2\n'

const moved = (from: string, to: string, before: string, after = before, given: Files = {}) =>
  sidesIn({
    given: { ...given, [from]: before },
    shall: { [`-${from}`]: '', [to]: '' },
    texts: { [to]: after },
  })

describe('given a source that was moved', () => {
  it('a Rust source with its tests is product at both places', () => {
    expect(moved('src/money.rs', 'src/currency.rs', money)).toEqual({
      '-src/money.rs': 'product: source',
      'src/currency.rs': 'product: source',
    })
  })

  it('its tests are those that it had', () => {
    const weaker = money.replace('4), 2', '4), super::half(4)')
    const work = {
      baseline: { 'src/money.rs': money },
      changes: { 'src/money.rs': null, 'src/currency.rs': weaker },
    }
    expect(placementsOf(work).get('src/currency.rs')).toMatchObject({
      side: 'both',
      reason: 'both-parts',
      movedFrom: 'src/money.rs',
    })
  })

  it('what told a checker to look away may go on with it', () => {
    expect(moved('src/a.js', 'src/parts/a.js', silenced)['src/parts/a.js']).toBe('product: source')
    const more = `${silenced}// eslint-disable-next-line eqeqeq\nexport const isOne = (n) => n == 1\n`
    expect(moved('src/a.js', 'src/parts/a.js', silenced, more)['src/parts/a.js']).toBe(
      'both: silences-a-checker',
    )
  })

  it('a file that shares little with the one that went is new', () => {
    const other = '// eslint-disable-next-line eqeqeq\nexport const other = (n) => n == 7\n'
    expect(moved('src/a.js', 'src/b.js', silenced, other)['src/b.js']).toBe('both: silences-a-checker')
    expect(moved('src/money.rs', 'src/new.rs', money, 'fn f() {}\n')['-src/money.rs']).toBe(
      'check: cannot-be-split',
    )
  })
})
