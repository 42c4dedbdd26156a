import { describeContender } from './scenarios.ts'

describeContender({
  agent: 'codex-acp',
  command: 'codex-acp',
  // What stays in its sandbox it does not ask for.
  asked: (line) => ({
    tool: 'exec_command',
    args: { cmd: line, sandbox_permissions: 'require_escalated', justification: 'it must leave the sandbox' },
  }),
  usage: /about 3,150 tokens/u,
})
