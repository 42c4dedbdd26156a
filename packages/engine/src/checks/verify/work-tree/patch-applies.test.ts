import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import type { PatchCheck, PatchChecker, VerifierContext } from '../../../ports/checks.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { patchApplies } from './patch-applies.ts'

const applies: PatchCheck = { kind: 'applies', files: ['a.txt'] }

function answering(answer: PatchCheck): PatchChecker {
  return { check: async () => answer }
}

const throwing: PatchChecker = {
  check: async () => {
    throw new Error('no git')
  },
}

const patch = { source: { value: () => '--- a/a.txt' } }

verifierContract('patchApplies', {
  passing: () => patchApplies(answering(applies), patch),
  failing: () => patchApplies(answering({ kind: 'does-not-apply', reason: 'no' }), patch),
  makeUndecided: () => patchApplies(throwing, patch),
  hanging: (onStart) => {
    const check = () => {
      onStart()
      return new Promise<never>(() => undefined)
    }
    return patchApplies({ check }, patch)
  },
})

/** What the checker was given, and the verdict. */
async function checked(finalText: string, answer: PatchCheck = applies, workFolder: string | null = '/work') {
  const seen: string[] = []
  const checker: PatchChecker = {
    check: async (text) => {
      seen.push(text)
      return answer
    },
  }
  const context: VerifierContext = {
    runId: 'run-1',
    workFolder,
    task: 'patch it',
    finalText,
    trigger: 'claim',
    turn: 1,
    fingerprint: undefined,
    baseline: undefined,
  }
  const report = await patchApplies(checker).verify(context, new AbortController().signal)
  return { seen, report }
}

describe('given an answer', () => {
  it('takes it for the patch as a whole', async () => {
    const { seen, report } = await checked('--- a/x')
    expect(seen).toEqual(['--- a/x'])
    expect(report).toMatchObject({ status: 'passed', reason: 'the patch applies (1 files)' })
  })

  it.each(['diff', 'patch'])('takes what stands in its only fence called %s', async (word) => {
    const { seen } = await checked(`Here:\n\`\`\`${word}\n--- a/x\n\`\`\`\nand\n\`\`\`ts\ncode\n\`\`\`\n`)
    expect(seen).toEqual(['--- a/x\n'])
  })

  it('fails for two patches: which one is meant is not known', async () => {
    const fence = '```diff\n--- a/x\n```\n'
    const { seen, report } = await checked(fence + fence)
    expect(seen).toEqual([])
    expect(report).toMatchObject({ status: 'failed' })
  })

  it.each(['', ' \n', '```diff\n```\n'])('fails for no patch: %j', async (text) => {
    const { seen, report } = await checked(text)
    expect(seen).toEqual([])
    expect(report).toMatchObject({ status: 'failed', reason: 'there is no patch in the answer' })
  })

  it('fails for a patch that changes nothing', async () => {
    expect((await checked('x', { kind: 'applies', files: [] })).report.status).toBe('failed')
  })

  it('says where it does not apply', async () => {
    const { report } = await checked('x', {
      kind: 'does-not-apply',
      reason: 'no such line',
      place: 'a.txt:3',
    })
    expect(report.reason).toBe('the patch does not apply, at a.txt:3: no such line')
  })

  it('is an error for nonsense of the checker, and without a work folder', async () => {
    const nonsense = { kind: 'maybe' } as unknown as PatchCheck
    expect((await checked('x', nonsense)).report.status).toBe('error')
    expect((await checked('x', applies, null)).report.status).toBe('error')
  })
})

describe('given misuse', () => {
  it('refuses a checker that is none', () => {
    const nothing = {} as unknown as PatchChecker
    expect(() => patchApplies(nothing)).toThrow(UsageError)
  })
})
