/** What became of the assertions of one test. */
import type { AssertionFacts, AssertionStrength } from '../facts.ts'
import type { TamperRule } from '../finding.ts'
import { isSameSource, type Renames } from './compared-file.ts'
import { calledIn, literalsOf, namesOf } from './words.ts'

export interface AssertionChange {
  readonly rule: TamperRule
  readonly line: number
  readonly message: string
}

/** Two versions of a test, and what is known of the rest of the change. */
export interface AssertionsOfTest {
  readonly before: readonly AssertionFacts[]
  readonly after: readonly AssertionFacts[]
  readonly bodyBefore: string
  readonly bodyAfter: string
  readonly renames: Renames
}

export interface Leftovers {
  readonly lost: readonly AssertionFacts[]
  readonly free: readonly AssertionFacts[]
}

const order: readonly AssertionStrength[] = ['trivial', 'presence', 'partial', 'exact']

/** What only runs in a branch says less than what always does. */
export function isAsStrong(now: AssertionFacts, then: AssertionFacts): boolean {
  if (now.isConditional === true && then.isConditional !== true) return false
  return order.indexOf(now.strength) >= order.indexOf(then.strength)
}

function isStronger(now: AssertionFacts, then: AssertionFacts): boolean {
  return order.indexOf(now.strength) > order.indexOf(then.strength)
}

type Keeps = (then: AssertionFacts, now: AssertionFacts) => boolean

/** What is left after every assertion that was kept, strengthened, renamed or taken apart has found its counterpart. */
export function leftoversOf(test: AssertionsOfTest): Leftovers {
  const { renames } = test
  const same = (left: string | null, right: string | null) => isSameSource(left, right, renames)
  const steps: readonly Keeps[] = [
    (then, now) => isSameAssertion(then, now, (left, right) => left === right),
    (then, now) => isSameAssertion(then, now, same),
    (then, now) => same(then.subject, now.subject) && isStronger(now, then) && !contradicts(then, now),
    (then, now) => agree(then, now) && same(then.expected, now.subject) && same(then.subject, now.expected),
    (then, now) =>
      agree(then, now) && same(then.expected, now.expected) && isTakenApart(then.subject, now.subject, test),
    (then, now) =>
      agree(then, now) && same(then.subject, now.subject) && isNamed(then.expected, now.expected, test),
    (then, now) =>
      agree(then, now) &&
      isTakenApart(then.subject, now.subject, test) &&
      isNamed(then.expected, now.expected, test),
  ]
  const wanted = test.before.filter(({ strength }) => strength !== 'trivial')
  return steps.reduce<Leftovers>(take, { lost: wanted, free: test.after })
}

/** Takes out the pairs that a step recognises. */
export function take({ lost, free }: Leftovers, keeps: Keeps): Leftovers {
  const left = [...free]
  const still = lost.filter((then) => {
    const index = left.findIndex((now) => keeps(then, now))
    if (index !== -1) left.splice(index, 1)
    return index === -1
  })
  return { lost: still, free: left }
}

/** The same subject and the same expected value, at least as strong. */
export function isSameAssertion(
  then: AssertionFacts,
  now: AssertionFacts,
  same: (left: string | null, right: string | null) => boolean,
): boolean {
  return agree(then, now) && same(then.subject, now.subject) && same(then.expected, now.expected)
}

function agree(then: AssertionFacts, now: AssertionFacts): boolean {
  return then.isNegated === now.isNegated && isAsStrong(now, then)
}

/** `toBeTruthy()` became `toBe(false)`. */
function contradicts(then: AssertionFacts, now: AssertionFacts): boolean {
  if (then.strength !== 'presence' || then.expected !== null)
    return then.isNegated !== now.isNegated && then.strength !== 'presence'
  const isEmpty =
    /^(?:false|False|null|None|nil|undefined|0|""|'')$/u.test(now.expected ?? '') !== now.isNegated
  return isEmpty !== then.isNegated
}

/** The subject was put into a variable: all that it is made of is still there. */
function isTakenApart(then: string, now: string, { bodyAfter, renames }: AssertionsOfTest): boolean {
  if (then === now) return true
  const literals = literalsOf(bodyAfter)
  const names = namesOf(bodyAfter)
  if (literalsOf(now).size > 0 && namesOf(now).size === 0) return false
  if (isLiteralVariable(now, bodyAfter) || isBent(then, now)) return false
  const hasLiterals = [...literalsOf(then)].every((literal) => literals.has(literal))
  return (
    hasLiterals &&
    [...calledIn(then)].every((name) => names.has(name) || [...names].some((other) => renames(name, other)))
  )
}

const lossy = /^(?:abs|max|min|clamp|round|floor|ceil|trunc|sign|Boolean|bool|len|sorted|set|Set|any|all)$/iu

/** The result is not looked at as it is: `Math.max(0, result)`. */
function isBent(then: string, now: string): boolean {
  const known = calledIn(then)
  return [...calledIn(now)].some((name) => !known.has(name) && lossy.test(name))
}

/** `const result = 5` and then `expect(result)`. */
function isLiteralVariable(name: string, body: string): boolean {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return false
  const escaped = name.replaceAll('$', String.raw`\$`)
  return new RegExp(
    String.raw`(?<![\w$.])${escaped} ?:?= ?-? ?(?:\d[\w.]*|"[^"]*"|'[^']*'|true|false|True|False|null|None|nil)(?= ?(?:;|\}|\)|$|[a-z]))`,
    'u',
  ).test(body)
}

/** The expected value was put into a variable of the test. */
function isNamed(
  then: string | null,
  now: string | null,
  { bodyAfter, bodyBefore }: AssertionsOfTest,
): boolean {
  if (then === null || now === null) return then === now
  if (then === now) return true
  const wanted = literalsOf(then)
  if (wanted.size === 0 || literalsOf(now).size > 0) return false
  const known = literalsOf(bodyAfter)
  const added = [...known].filter((literal) => !literalsOf(bodyBefore).has(literal))
  return added.length === 0 && [...wanted].every((literal) => known.has(literal))
}

/** One sentence for each assertion that has no counterpart. */
export function changesOf({ lost, free }: Leftovers, name: string): readonly AssertionChange[] {
  const left = [...free]
  return lost.map((then) => {
    const index = likelyCounterpart(then, left)
    const now = left[index]
    if (now !== undefined) left.splice(index, 1)
    return changeOf(then, now, name)
  })
}

function likelyCounterpart(then: AssertionFacts, free: readonly AssertionFacts[]): number {
  const bySubject = free.findIndex((now) => now.subject === then.subject)
  if (bySubject !== -1) return bySubject
  const byExpected = free.findIndex((now) => now.expected !== null && now.expected === then.expected)
  return byExpected === -1 ? free.findIndex((now) => now.strength === 'trivial') : byExpected
}

function changeOf(then: AssertionFacts, now: AssertionFacts | undefined, name: string): AssertionChange {
  const what = `\`${shortened(describe(then))}\``
  if (now === undefined) {
    return { rule: 'assertion.removed', line: then.line, message: `${name}: ${what} is gone` }
  }
  const became = `${name}: ${what} became \`${shortened(describe(now))}\``
  const { line } = now
  if (now.strength === 'trivial')
    return { rule: 'assertion.trivial', line, message: `${became}, which always holds` }
  if (!isAsStrong(now, then))
    return { rule: 'assertion.weakened', line, message: `${became}, which says less` }
  return { rule: 'expectation.changed', line, message: became }
}

function describe({ subject, matcher, expected, isNegated }: AssertionFacts): string {
  return [subject, isNegated ? 'not' : '', matcher, expected ?? ''].filter((part) => part !== '').join(' ')
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}
