import fc from 'fast-check'
import { describe, expect, it, type TestContext } from 'vitest'
import { denseCases, mutatedCases, noiseCases, structuredCases } from './patch-cases.ts'
import { comparePatches } from './patch-differences.ts'
import { referenceProgram, runOurs, type PatchCase } from './patch-runs.ts'

/** A longer run: `DONECHECK_CODEX_PATCH_CASES=20000`, and `DONECHECK_CODEX_PATCH_SEED` for other cases. */
const cases = Number(process.env['DONECHECK_CODEX_PATCH_CASES'] ?? 150)
const seed = Number(process.env['DONECHECK_CODEX_PATCH_SEED'] ?? 1)
const oneHourMs = 3_600_000

const isMissing = referenceProgram === undefined
const why = isMissing ? ' (skipped: the reference is not installed; install.ts beside this test does it)' : ''

describe.skipIf(isMissing)(`given the real apply_patch and ${cases} random cases${why}`, () => {
  /** More are drawn than are compared, so that half of these apply: by our own answer, which the reference then has to give too. */
  const drawn = async (arbitrary: fc.Arbitrary<PatchCase>, count: number): Promise<readonly PatchCase[]> => {
    const half = Math.ceil(count / 2)
    const applied: PatchCase[] = []
    const refused: PatchCase[] = []
    for (const test of fc.sample(arbitrary, { numRuns: count * 8, seed })) {
      if (applied.length >= half && refused.length >= count - half) break
      const { exitCode } = await runOurs(test)
      if (exitCode === 0) applied.push(test)
      else refused.push(test)
    }
    const chosen = applied.slice(0, half)
    return [...chosen, ...refused.slice(0, count - chosen.length)]
  }
  const compare = async (arbitrary: fc.Arbitrary<PatchCase>, share: number, context: TestContext) => {
    const compared = await comparePatches(
      referenceProgram ?? '',
      await drawn(arbitrary, Math.ceil(cases * share)),
    )
    await context.annotate(`the reference applied ${compared.applied} of ${compared.cases} cases`)
    expect(compared.differences.slice(0, 3)).toEqual([])
    return compared.applied / compared.cases
  }

  it('does the same with patches made from the files', { timeout: oneHourMs }, async (context) => {
    expect(await compare(structuredCases, 0.5, context)).toBeGreaterThan(0.4)
  })

  it('does the same with few lines, many of them blank', { timeout: oneHourMs }, async (context) => {
    expect(await compare(denseCases, 0.2, context)).toBeGreaterThan(0.4)
  })

  it('does the same with patches that were spoilt', { timeout: oneHourMs }, async (context) => {
    expect(await compare(mutatedCases, 0.3, context)).toBeGreaterThan(0.3)
  })

  it('does the same with noise of marker lines', { timeout: oneHourMs }, async (context) => {
    await compare(noiseCases, 0.3, context)
  })
})
