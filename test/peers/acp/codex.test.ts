import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codexHome } from '../kit/index.ts'
import { describeContender } from './scenarios.ts'

const done = (step: string) => ({ step, status: 'completed' })

describeContender({
  agent: 'codex-acp',
  line: 'acp:codex-acp',
  // What stays in its sandbox it does not ask for.
  asked: (line) => ({
    tool: 'exec_command',
    args: { cmd: line, sandbox_permissions: 'require_escalated', justification: 'it must leave the sandbox' },
  }),
  plans: { tool: 'update_plan', args: { plan: [done('look'), done('write')] } },
  prepare: ({ home }) =>
    appendFile(join(codexHome(home), 'config.toml'), '\n[tools.update_plan]\nenabled = true\n'),
  usage: /about 5,250 tokens/u,
})
