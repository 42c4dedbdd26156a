import { shellCall } from '../kit/index.ts'
import { describeContender } from './scenarios.ts'

describeContender({
  agent: 'opencode',
  line: 'opencode',
  asked: (line) => shellCall('opencode', line),
  // Without this it allows everything, and nobody is asked.
  files: { 'opencode.json': JSON.stringify({ permission: { bash: 'ask', edit: 'ask' } }) },
  usage: /tokens unknown · \$0\.0/u,
})
