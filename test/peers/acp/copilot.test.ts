import { shellCall } from '../kit/index.ts'
import { describeContender } from './scenarios.ts'

describeContender({
  agent: 'copilot',
  line: 'copilot',
  asked: (line) => shellCall('copilot', line),
  usage: / \d,\d{3} tokens/u,
})
