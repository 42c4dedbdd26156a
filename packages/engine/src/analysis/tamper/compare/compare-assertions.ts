/** What became of the assertions of one test. */
import { strengths, type AssertionFacts } from '../facts.ts'
import type { TamperFinding } from '../rules.ts'
import { isSameSource, type Renames } from './compared-file.ts'
import type { TestPair } from './match-tests.ts'

type AssertionChange = Omit<TamperFinding, 'path'>

export interface Leftovers {
  readonly lost: readonly AssertionFacts[]
  readonly free: readonly AssertionFacts[]
}

export function isAsStrong(now: AssertionFacts, then: AssertionFacts): boolean {
  return strengths.indexOf(now.strength) >= strengths.indexOf(then.strength)
}

type Keeps = (then: AssertionFacts, now: AssertionFacts) => boolean

/** What is left after every assertion that was kept, strengthened or renamed has found its counterpart. */
export function leftoversOf({ before, after }: TestPair, renames: Renames): Leftovers {
  const same = (left: string | null, right: string | null) => isSameSource(left, right, renames)
  const steps: readonly Keeps[] = [
    (then, now) => isSameAssertion(then, now, (left, right) => left === right),
    (then, now) => isSameAssertion(then, now, same),
    (then, now) => same(then.subject, now.subject) && !isAsStrong(then, now) && !contradicts(then, now),
    (then, now) => agree(then, now) && same(then.expected, now.subject) && same(then.subject, now.expected),
  ]
  const wanted = before.test.assertions.filter(({ strength }) => strength !== 'trivial')
  return steps.reduce<Leftovers>(take, { lost: wanted, free: after.test.assertions })
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
  const what = `\`${shortenText(describe(then))}\``
  if (now === undefined) {
    const message = `${name}: ${what} is gone, or not reached any more`
    return { rule: 'assertion.removed', line: then.line, message }
  }
  const became = `${name}: ${what} became \`${shortenText(describe(now))}\``
  const { line } = now
  if (now.strength === 'trivial')
    return { rule: 'assertion.weakened', line, message: `${became}, which always holds` }
  if (!isAsStrong(now, then))
    return { rule: 'assertion.weakened', line, message: `${became}, which says less` }
  return { rule: 'expectation.changed', line, message: became }
}

function describe({ subject, matcher, expected, isNegated }: AssertionFacts): string {
  return [subject, isNegated ? 'not' : '', matcher, expected ?? ''].filter((part) => part !== '').join(' ')
}

function shortenText(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}
