import { expect, it } from 'vitest'
import { parseConfig } from '../../config/index.ts'
import { leftOutOf } from './judging/judge.ts'

const leftOut = (given: object) =>
  leftOutOf(parseConfig(given, 'a test')).map((sentence) => sentence.split(':')[0])

it('what only a run can do is named, and nothing else', () => {
  expect(leftOut({ verifyReplies: true })).toEqual(['verifyReplies'])
  expect(leftOut({ until: 'npm test', judge: 'openai/gpt-5', verifyReplies: false })).toEqual([])
})
