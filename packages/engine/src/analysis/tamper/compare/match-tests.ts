/** Which test of the changed tree is which test of the baseline one. */
import { isSameSource, type PlacedTest, type Renames } from './compared-file.ts'
import { likeness } from './words.ts'

export interface TestPair {
  readonly before: PlacedTest
  readonly after: PlacedTest
}

export interface MatchedTests {
  readonly pairs: readonly TestPair[]
  readonly gone: readonly PlacedTest[]
  readonly added: readonly PlacedTest[]
}

/** Above this number of leftovers, comparing each with each would take too long. */
const maxLeftovers = 300

/** Below this share of common words, two tests are not the same one under another name. */
const minLikeness = 0.8

type Same = (before: PlacedTest, after: PlacedTest) => boolean

/** By place and name, then by body, then by name elsewhere, then by a body that is nearly the same. */
export function matchTests(
  before: readonly PlacedTest[],
  after: readonly PlacedTest[],
  renames: Renames,
): MatchedTests {
  const isSamePlace: Same = (left, right) => left.file.path === right.file.path
  const leaf = (placed: PlacedTest) => placed.test.name.split(' > ').at(-1)
  const keyed: readonly ((placed: PlacedTest) => string)[] = [
    ({ file, test }) => JSON.stringify([file.path, test.name, test.body]),
    ({ file, test }) => JSON.stringify([file.path, test.name]),
    ({ test }) => JSON.stringify([test.name, test.body]),
    ({ test }) =>
      test.body === '' ? JSON.stringify([test.name, test.line]) : JSON.stringify(['body', test.body]),
    ({ test }) => JSON.stringify(['name', test.name]),
    (placed) => JSON.stringify(['leaf', leaf(placed)]),
  ]
  const start: MatchedTests = { pairs: [], gone: before, added: after }
  const matched = keyed.reduce(matchBy, start)
  if (matched.gone.length > maxLeftovers || matched.added.length > maxLeftovers) return matched
  const alike: Same = (left, right) =>
    isSameSource(left.test.body, right.test.body, renames) ||
    (left.test.assertions.length > 0 && likeness(left.test.body, right.test.body) >= minLikeness)
  return matchEach(
    matchEach(matched, (left, right) => isSamePlace(left, right) && alike(left, right)),
    alike,
  )
}

function matchBy(so: MatchedTests, keyOf: (placed: PlacedTest) => string): MatchedTests {
  const waiting = Map.groupBy(so.added, keyOf)
  const pairs = so.gone.flatMap((before): readonly TestPair[] => {
    const after = waiting.get(keyOf(before))?.shift()
    return after === undefined ? [] : [{ before, after }]
  })
  return without(so, pairs)
}

function matchEach(so: MatchedTests, isSame: Same): MatchedTests {
  const free = new Set(so.added)
  const pairs = so.gone.flatMap((before): readonly TestPair[] => {
    const after = [...free].find((placed) => isSame(before, placed))
    if (after === undefined) return []
    free.delete(after)
    return [{ before, after }]
  })
  return without(so, pairs)
}

function without(so: MatchedTests, pairs: readonly TestPair[]): MatchedTests {
  const matched = new Set(pairs.flatMap(({ before, after }) => [before, after]))
  return {
    pairs: [...so.pairs, ...pairs],
    gone: so.gone.filter((placed) => !matched.has(placed)),
    added: so.added.filter((placed) => !matched.has(placed)),
  }
}
