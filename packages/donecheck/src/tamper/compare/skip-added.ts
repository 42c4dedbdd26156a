import type { SkipKind } from '../facts.ts'
import type { TamperFinding } from '../finding.ts'
import type { TestPair } from './match-tests.ts'

const order: readonly SkipKind[] = ['none', 'conditional', 'expected-to-fail', 'always']

const words: Readonly<Record<SkipKind, string>> = {
  none: 'runs',
  conditional: 'is skipped under a condition',
  'expected-to-fail': 'is expected to fail',
  always: 'is skipped',
}

/** A test that is still there, and left out. */
export function skipAdded({ before, after }: TestPair): readonly TamperFinding[] {
  const { skip, name, line } = after.test
  if (order.indexOf(skip) <= order.indexOf(before.test.skip)) return []
  return [{ rule: 'test.skipped', path: after.file.path, line, message: `${name} ${words[skip]}` }]
}
