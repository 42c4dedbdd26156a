import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countsQuantities, emptyIsNothing, rightSolution } from './fixtures/shop.ts'
import { parseProposal, problemOfCheckFile, problemOfSolution } from './proposal.ts'

const whole = { checks: [countsQuantities, emptyIsNothing], solution: rightSolution }

describe('given what an author hands in', () => {
  it('a proposal is taken as it is', () => {
    expect(parseProposal(whole)).toEqual({ kind: 'proposal', proposal: whole })
  })

  it.each<[string, unknown, string]>([
    ['a text', 'Sure!', 'the answer'],
    ['no checks', { ...whole, checks: [] }, 'checks'],
    ['no solution', { checks: whole.checks }, 'solution'],
    [
      'a kind that there is not',
      { ...whole, checks: [{ ...emptyIsNothing, kind: 'wish' }] },
      'checks.0.kind',
    ],
    ['no reason', { ...whole, checks: [{ ...emptyIsNothing, kind: 'acceptance' }] }, 'checks.0.failsWith'],
    ['an empty line', { ...whole, checks: [{ ...emptyIsNothing, command: ' ' }] }, 'checks.0.command'],
    ['a key that there is not', { ...whole, verdict: 'passed' }, 'the answer'],
  ])('%s is named', (_, given, place) => {
    const parsed = parseProposal(given)
    expect(parsed.kind === 'nonsense' && parsed.problem).toMatch(new RegExp(`^${place}: .`))
  })

  it('whatever it is, it is a proposal or named', () => {
    fc.assert(
      fc.property(fc.anything(), (given) => {
        expect(['proposal', 'nonsense']).toContain(parseProposal(given).kind)
      }),
    )
  })
})

describe('given the path of a file', () => {
  const existing = new Set(['src/price.js'])

  it.each([
    ['test/new.js', undefined],
    ['src/price.js', 'would replace one of the project'],
    ['../outside.js', 'no path inside the project'],
    ['/etc/passwd', 'no path inside the project'],
    ['a/./b.js', 'no path inside the project'],
    ['.git/hooks/pre-commit', 'no path inside the project'],
    ['node_modules/left/index.js', 'no path inside the project'],
    ['conftest.py', 'would be loaded by other checks too'],
  ])('of a check, %s: %s', (path, problem) => {
    const found = problemOfCheckFile(path, existing)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(problem)
  })

  it('of a solution, one of the checks is told', () => {
    const isOfChecks = (path: string) => path.startsWith('test/')
    expect(problemOfSolution(rightSolution, isOfChecks)).toBeUndefined()
    expect(problemOfSolution([{ path: 'test/a.js', text: '' }], isOfChecks)).toContain('test/a.js')
    expect(problemOfSolution([{ path: '../a.js', text: '' }], isOfChecks)).toContain('../a.js')
  })
})
