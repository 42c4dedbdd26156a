/** Functions beside the tests that assert, and say less now: every test that calls them does. */
import type { AssertionFacts, FileFacts } from '../facts.ts'
import type { TamperFinding } from '../finding.ts'
import { isAsStrong } from './compare-assertions.ts'
import type { ComparedFile } from './compared-file.ts'

/** Only functions that are still there: what the tests of a removed one assert now is compared with the tests. */
export function weakenedHelpers(files: readonly ComparedFile[]): readonly TamperFinding[] {
  return files.flatMap((file): readonly TamperFinding[] => {
    const { path, before, after, protection } = file
    if (before === null || after === null || (protection !== 'test' && protection !== 'test-helper'))
      return []
    const now = assertionsByFunction(after)
    return [...assertionsByFunction(before)].flatMap(([name, assertions]): readonly TamperFinding[] => {
      const here = (after.functions ?? []).find((one) => one.name === name)
      if (here === undefined) return []
      const free = [...(now.get(name) ?? [])]
      return assertions.flatMap((then): readonly TamperFinding[] => {
        const index = free.findIndex((other) => isKept(then, other))
        if (index !== -1) free.splice(index, 1)
        if (index !== -1) return []
        const message = `${name}: \`${then.subject} ${then.matcher} ${then.expected ?? ''}\` is gone or says less, for every test that calls it`
        return [{ rule: 'assertion.weakened', path, line: here.line, message: message.slice(0, 300) }]
      })
    })
  })
}

/** Names of parameters and the order of the sides may change. */
function isKept(then: AssertionFacts, now: AssertionFacts): boolean {
  return now.isNegated === then.isNegated && now.strength !== 'trivial' && isAsStrong(now, then)
}

function assertionsByFunction({
  functions = [],
  helperAssertions,
}: FileFacts): ReadonlyMap<string, readonly AssertionFacts[]> {
  const owners = functions.toSorted((one, other) => one.line - other.line)
  const found = new Map<string, AssertionFacts[]>()
  for (const assertion of helperAssertions) {
    const owner = owners.findLast(({ line }) => line <= assertion.line)
    if (owner === undefined || assertion.strength === 'trivial') continue
    found.set(owner.name, [...(found.get(owner.name) ?? []), assertion])
  }
  return found
}
