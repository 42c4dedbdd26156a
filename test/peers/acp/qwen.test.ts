import { shellCall } from '../kit/index.ts'
import { describeContender } from './scenarios.ts'

describeContender({
  agent: 'qwen',
  line: 'qwen',
  asked: (line) => shellCall('qwen', line),
  usage: /tokens unknown/u,
})
