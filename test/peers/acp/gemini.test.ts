import { shellCall } from '../kit/index.ts'
import { describeContender } from './scenarios.ts'

describeContender({
  agent: 'gemini',
  line: 'gemini -m gemini-2.5-pro',
  asked: (line) => shellCall('gemini', line),
  usage: / 4,200 tokens/u,
  // It overwrites a session that is loaded in the minute in which it was begun.
  mayForget: true,
})
