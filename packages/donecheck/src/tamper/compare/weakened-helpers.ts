/** Functions beside the tests that assert, and say less now: every test that calls them does. */
import type { AssertionFacts } from '../facts.ts'
import type { TamperFinding } from '../finding.ts'
import { isAsStrong } from './compare-assertions.ts'
import type { ComparedFile } from './compared-file.ts'

/** Only functions that are still there: what the tests of a removed one assert now is compared with the tests. */
export function weakenedHelpers(files: readonly ComparedFile[]): readonly TamperFinding[] {
  return files.flatMap(({ path, before, after }) => {
    const now = new Map(after.functions.map((one) => [one.name, one]))
    return before.functions.flatMap(({ name, assertions }): readonly TamperFinding[] => {
      const here = now.get(name)
      if (here === undefined) return []
      const free = [...here.assertions]
      return assertions.flatMap((then): readonly TamperFinding[] => {
        const index = free.findIndex((other) => isKept(then, other))
        if (index !== -1) free.splice(index, 1)
        if (index !== -1 || then.strength === 'trivial') return []
        const what = [then.subject, then.matcher, then.expected ?? ''].join(' ').slice(0, 120)
        const message = `${name}: \`${what}\` is gone or says less, for every test that calls it`
        return [{ rule: 'assertion.weakened', path, line: here.line, message }]
      })
    })
  })
}

/** Names of parameters and the order of the sides may change. */
function isKept(then: AssertionFacts, now: AssertionFacts): boolean {
  return now.isNegated === then.isNegated && now.strength !== 'trivial' && isAsStrong(now, then)
}
