import { shellCall } from '../kit/index.ts'
import { describeContender } from './scenarios.ts'

const todo = (content: string) => ({ content, activeForm: content, status: 'completed' })

describeContender({
  agent: 'claude-agent-acp',
  line: 'acp:claude-agent-acp',
  asked: (line) => shellCall('claude-agent-acp', line),
  plans: { tool: 'TodoWrite', args: { todos: [todo('look'), todo('write')] } },
  usage: /about 5,250 tokens · \$0\.0/u,
})
