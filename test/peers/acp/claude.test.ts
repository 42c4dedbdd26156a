import { shellCall } from '../kit/index.ts'
import { describeContender } from './scenarios.ts'

describeContender({
  agent: 'claude-agent-acp',
  command: 'claude-agent-acp',
  asked: (line) => shellCall('claude-agent-acp', line),
  usage: /about 3,150 tokens · \$0\.0/u,
})
