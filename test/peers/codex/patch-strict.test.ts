import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { denseCases, structuredCases } from './patch-cases.ts'
import { deviationsIn, mayMiss, plainTree, refusals } from './patch-deviations.ts'
import { inCaseFolder, referenceProgram, runReference, type PatchCase, type TreeLook } from './patch-runs.ts'
import { runStrict } from './patch-strict.ts'

/** A longer run: `DONECHECK_CODEX_STRICT_CASES=5000`, and `DONECHECK_CODEX_PATCH_SEED` for other cases. */
const cases = Number(process.env['DONECHECK_CODEX_STRICT_CASES'] ?? 200)
const seed = Number(process.env['DONECHECK_CODEX_PATCH_SEED'] ?? 1)
const oneHourMs = 3_600_000

const textOf = ({ patch }: PatchCase) => (typeof patch === 'string' ? patch : Buffer.from(patch).toString())

const isMissing = referenceProgram === undefined
const why = isMissing ? ' (skipped: the reference is not installed; install.ts beside this test does it)' : ''

async function problemOf(test: PatchCase): Promise<string | undefined> {
  const untouched = await inCaseFolder(test.tree, () => Promise.resolve())
  const [reference, strict] = [await runReference(referenceProgram ?? '', test), await runStrict(test)]
  if (strict.problems !== undefined) {
    if (JSON.stringify(strict.tree) !== JSON.stringify(untouched.tree)) return 'refused, and changed'
    return reference.exitCode === 0
      ? unlistedRefusal(
          test,
          strict.problems.map(({ kind }) => kind),
        )
      : undefined
  }
  if (reference.exitCode !== 0 || deviationsIn(textOf(test), strict).size > 0) return undefined
  const [theirs, ours] = [plainTree(reference.tree), plainTree(strict.tree)]
  return sameFiles(theirs, ours, test) ? undefined : 'other files'
}

/** A blank line that is added after a last line without a newline has none either: one newline fewer than the reference writes. */
function sameFiles(theirs: TreeLook, ours: TreeLook, { tree }: PatchCase): boolean {
  const isUnended = Object.values(tree).some(
    (entry) => entry.kind === 'file' && /[^\n]$/.test(String(entry.content)),
  )
  const paths = Object.keys({ ...theirs, ...ours })
  return paths.every(
    (path) => theirs[path] === ours[path] || (isUnended && theirs[path] === `${String(ours[path])}\n`),
  )
}

function unlistedRefusal(test: PatchCase, kinds: readonly (keyof typeof refusals)[]): string | undefined {
  // The reference takes a next-line character for a blank, and trims it.
  if (textOf(test).includes('\u0085') && kinds[0] === 'malformed') return undefined
  const unlisted = kinds.find((kind) => refusals[kind] === undefined)
  if (unlisted !== undefined) return `refused: ${unlisted}`
  const first = kinds[0]
  return first === 'not-found' && !mayMiss(textOf(test)) ? 'refused: not found' : undefined
}

describe.skipIf(isMissing)(`given the real apply_patch and ${cases} random cases${why}`, () => {
  const check = async (arbitrary: fc.Arbitrary<PatchCase>) => {
    const waiting = fc.sample(arbitrary, { numRuns: Math.ceil(cases / 2), seed })
    const problems: { readonly problem: string; readonly test: PatchCase }[] = []
    for (const test of waiting) {
      const problem = await problemOf(test)
      if (problem !== undefined) problems.push({ problem, test })
    }
    return problems
  }

  it(
    'leaves the files of the reference behind, or deviates for a listed reason',
    { timeout: oneHourMs },
    async () => {
      expect(await check(structuredCases)).toEqual([])
    },
  )

  it('does so with few lines, many of them blank', { timeout: oneHourMs }, async () => {
    expect(await check(denseCases)).toEqual([])
  })
})
