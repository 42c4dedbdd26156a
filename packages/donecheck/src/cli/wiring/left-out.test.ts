import { expect, it } from 'vitest'
import { parseConfig } from '../../config/index.ts'
import { leftOutOf } from './left-out.ts'

const leftOut = (given: object, hasTask: boolean) =>
  leftOutOf(parseConfig(given, 'a test'), { hasTask }).map((sentence) => sentence.split(':')[0])

it('what only a run can do is named, and nothing else', () => {
  const all = { seal: 'openai/gpt-5', verifyReplies: true, authorityJudge: 'openai/gpt-5' }
  expect(leftOut(all, false)).toEqual(['seal', 'verifyReplies', 'authorityJudge'])
  expect(leftOut(all, true)).toEqual(['seal', 'verifyReplies'])
  expect(leftOut({ until: 'npm test', judge: 'openai/gpt-5', verifyReplies: false }, false)).toEqual([])
})
