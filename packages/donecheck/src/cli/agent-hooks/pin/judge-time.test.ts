import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../config/index.ts'
import { problemOfJudgeTime } from './pin-session.ts'

const problem = (config: object, timeoutSeconds: number) =>
  problemOfJudgeTime(parseConfig(config, 'a test'), timeoutSeconds)
const judge = { models: 'openai/gpt-5', timeoutSeconds: 60 }
const check = { kind: 'all', of: [{ kind: 'judge', rubric: 'clarity', model: 'openai/gpt-5' }] }

describe('given a hook with less time than a judge may take', () => {
  it.each([
    [{ judge }, 60],
    [{ judge: 'openai/gpt-5' }, 33],
    [{ checks: [check] }, 33],
  ])('then %j is told at %i s, with who asks it instead', (config, seconds) => {
    expect(problem(config, seconds)).toMatch(
      /raise --hook-timeout .* let donecheck run or donecheck verify ask it$/,
    )
  })

  it.each([
    [{ judge }, 120],
    [{ checks: [check] }, 600],
    [{ until: 'npm test', checks: ['text:done'] }, 1],
  ])('then %j is fine with %i s', (config, seconds) => {
    expect(problem(config, seconds)).toBeUndefined()
  })
})
