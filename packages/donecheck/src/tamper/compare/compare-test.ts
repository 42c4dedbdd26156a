/** What was done to a test that is still there, its assertions aside. */
import type { SkipKind, TestFacts } from '../facts.ts'
import type { TamperFinding, TamperRule } from '../finding.ts'
import type { TestPair } from './match-tests.ts'

const order: readonly SkipKind[] = ['none', 'conditional', 'expected-to-fail', 'always']

const skipWords: Readonly<Record<SkipKind, string>> = {
  none: 'runs',
  conditional: 'is skipped under a condition',
  'expected-to-fail': 'is expected to fail',
  always: 'is skipped',
}

/** Of most JavaScript runners, where a test names none. */
const defaultTimeoutMs = 5000

export function compareTest({ before, after }: TestPair): readonly TamperFinding[] {
  const then = before.test
  const now = after.test
  const { path } = after.file
  const found: TamperFinding[] = []
  const add = (rule: TamperRule, message: string, line = now.line) =>
    found.push({ rule, path, line, message: `${now.name} ${message}` })
  if (order.indexOf(now.skip) > order.indexOf(then.skip)) add('test.skipped', skipWords[now.skip])
  if (now.isFocused && !then.isFocused) add('test.narrowed', 'is focused, so that all others are left out')
  if (now.endsEarlyAt !== null && then.endsEarlyAt === null) {
    add('test.early-exit', 'ends before its assertions', now.endsEarlyAt)
  }
  if (now.swallowsAt !== null && then.swallowsAt === null) {
    add('assertion.weakened', 'swallows its own failures', now.swallowsAt)
  }
  if (isTimeoutLoosened(then, now, path))
    add('limit.loosened', `may take ${now.timeoutMs ?? 'any number of'} ms`)
  if ((now.retries ?? 0) > (then.retries ?? 0))
    add('limit.loosened', `is tried again ${now.retries ?? 0} times`)
  return found
}

/** Runners of other languages set no limit by themselves: there, naming one tightens. */
function isTimeoutLoosened(then: TestFacts, now: TestFacts, path: string): boolean {
  if (now.timeoutMs === null) return false
  const usual = /\.[cm]?[jt]sx?$/u.test(path) ? defaultTimeoutMs : Infinity
  const limit = (ms: number | null) => (ms === null ? usual : ms === 0 ? Infinity : ms)
  return limit(now.timeoutMs) > limit(then.timeoutMs)
}
