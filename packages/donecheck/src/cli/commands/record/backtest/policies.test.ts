import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policyOf, settingsOver, typedPolicy } from '../backtest.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-policies-'))
  await writeFile(join(folder, 'short.json'), '{ "maxTurns": 20 }')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const project = { maxTurns: 50, loopDetection: { cycleRepeats: 5 } }
const typed = (text: string) => typedPolicy(text, project, folder)

describe('given the settings of a policy', () => {
  it.each(['p={"maxTurns":20}', 'p=maxTurns=20', 'p=short.json'])('%s is read', (text) => {
    expect(typed(text)).toMatchObject({ name: 'p', caps: { maxIterations: 20 } })
  })

  it('what it does not name is that of the project, also within a group', () => {
    const { caps, soft } = typed('p=loopDetection.vetoesUntilEnd=0,stagnation=off,maxCostUsd=off')
    expect(caps).toMatchObject({ maxIterations: 50, maxCostUsd: null })
    expect(soft).toMatchObject({
      loopDetection: { cycleRepeats: 5, vetoesUntilEnd: 0, mode: 'on' },
      stagnation: { mode: 'off' },
    })
  })

  it('a mode of the project stays where a group is laid over it', () => {
    expect(settingsOver({ loopDetection: 'shadow' }, { loopDetection: { cycleRepeats: 3 } }, 'p')).toEqual({
      loopDetection: { mode: 'shadow', cycleRepeats: 3 },
    })
  })

  it('the cap on tokens that hangs on a model is not guessed', () => {
    expect(policyOf('current', {}).caps.maxTokens).toBeNull()
    expect(policyOf('current', { contextWindowTokens: 50_000 }).caps.maxTokens).toBe(500_000)
    expect(policyOf('current', { maxTokens: 7 }).caps.maxTokens).toBe(7)
  })

  it.each([
    ['short', 'is not of the form NAME=SETTINGS'],
    ['p={"maxTurns":', 'variant "p" is not JSON'],
    ['p=nowhere.json', 'there is no file'],
    ['p=maxTurns=20,strict', '"strict" is not key=value'],
    ['p=maxTurn=20', 'did you mean "maxTurns"?'],
    ['p=maxTurns=-1', 'maxTurns'],
    ['p=model=openai/gpt-5', 'model is no part of a stop policy'],
    ['p=loopDetection.criticalThreshold=5', 'criticalThreshold'],
  ])('%s is refused, and why', (text, words) => {
    expect(() => typed(text)).toThrow(words)
  })
})
