import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { referenceProgram } from './patch-runs.ts'
import { policyCases, spoiledCases } from './policy-cases.ts'
import {
  askAll,
  askOurs,
  askReference,
  compare,
  deviationOf,
  difference,
  type PolicyAnswer,
  type PolicyCase,
} from './policy-runs.ts'
import { deviatingFiles, languageFiles, policyRows, type PolicyRow } from './policy-table.ts'

/** A longer run: `DONECHECK_CODEX_POLICY_CASES=6000`, and `DONECHECK_CODEX_POLICY_SEED` for other cases. */
const cases = Number(process.env['DONECHECK_CODEX_POLICY_CASES'] ?? 150)
const seed = Number(process.env['DONECHECK_CODEX_POLICY_SEED'] ?? 1)
const oneHourMs = 3_600_000

const isMissing = referenceProgram === undefined
const program = referenceProgram ?? ''
const why = isMissing ? ' (skipped: the reference is not installed; install.ts beside this test does it)' : ''

const recorded = readFileSync(join(import.meta.dirname, 'policy-language.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as [string, (PolicyAnswer & { kind: 'answer' })['output'] | null])

const asking = (text: string): PolicyCase => ({ files: [text], words: ['x'], resolves: false })

const answerOf = (output: (typeof recorded)[number][1]): PolicyAnswer =>
  output === null ? { kind: 'refused', problem: '' } : { kind: 'answer', output }

function expectRow({ decision, prefixes, resolved }: PolicyRow, answer: PolicyAnswer): void {
  if (answer.kind === 'refused') throw new Error(answer.problem)
  const matches = answer.output.matchedRules.map(({ prefixRuleMatch }) => prefixRuleMatch)
  expect(answer.output.decision).toBe(decision)
  expect(matches.map(({ matchedPrefix }) => matchedPrefix)).toEqual(prefixes)
  expect(matches[0]?.resolvedProgram).toBe(resolved)
}

describe('given what the reference is known to answer', () => {
  it.each(policyRows)('$name', (row) => expectRow(row, askOurs(row.test)))

  it('every recorded file is read as the reference reads it, or refused as a listed deviation', () => {
    const readByUs = recorded.filter(([text]) => askOurs(asking(text)).kind === 'answer')
    expect(readByUs.length).toBeGreaterThan(100)
    const differences = recorded.flatMap(([text, output]) => {
      const test = asking(text)
      return difference(test, answerOf(output), askOurs(test)) ?? []
    })
    expect(differences).toEqual([])
  })

  it.each(languageFiles)('runs $name', ({ text }) => {
    expect(askOurs(asking(text)).kind).toBe('answer')
  })

  it.each(deviatingFiles)('is stricter with $name, and says so', ({ text }) => {
    expect(deviationOf(askOurs(asking(text)))).toBeDefined()
  })
})

describe.skipIf(isMissing)(`given the same questions and the real execpolicy${why}`, () => {
  it.each(policyRows)('$name', async (row) => expectRow(row, await askReference(program, row.test)))

  it.each(deviatingFiles)('accepts $name', async ({ text }) => {
    const answer = await askReference(program, asking(text))
    expect(answer.kind).toBe('answer')
  })

  it.each(languageFiles)('answers $name as we do', async ({ text }) => {
    const test = asking(text)
    expect(difference(test, await askReference(program, test), askOurs(test))).toBeUndefined()
  })

  it(
    'answers as it was recorded',
    async () => {
      const step = Math.max(1, Math.floor((3 * recorded.length) / cases))
      const sample = recorded.filter((_, index) => index % step === 0)
      const answers = await askAll(
        program,
        sample.map(([text]) => asking(text)),
      )
      const wrong = sample.filter(([, output], index) => {
        const answer = answers[index]
        return JSON.stringify(answer?.kind === 'answer' ? answer.output : null) !== JSON.stringify(output)
      })
      expect(wrong).toEqual([])
    },
    oneHourMs,
  )
})

describe.skipIf(isMissing)(`given random rules and commands and the real execpolicy${why}`, () => {
  it(
    `gives the same answer to ${cases} pairs`,
    async () => {
      const { differences, answered } = await compare(
        program,
        fc.sample(policyCases, { numRuns: cases, seed }),
      )
      expect(differences).toEqual([])
      expect(answered).toBeGreaterThan(cases / 2)
    },
    oneHourMs,
  )

  it(
    `accepts and refuses the same of ${cases} spoiled files`,
    async () => {
      const { differences, answered } = await compare(
        program,
        fc.sample(spoiledCases, { numRuns: cases, seed }),
      )
      expect(differences).toEqual([])
      expect(answered).toBeLessThan(cases)
    },
    oneHourMs,
  )
})
