/** The agents that have hooks and run here for real. */
import { jsonLines, linesOfType } from '../kit/index.ts'
import type { HookedAgent } from './hooked-agent.ts'

export const claude: HookedAgent = {
  name: 'claude',
  installedAs: 'claude-code',
  settings: { user: ['.claude/settings.json'], project: ['.claude/settings.json'] },
  resume: (session) => ['--resume', session],
  saysSuccess: (stdout) => linesOfType(stdout, 'result').at(-1)?.['subtype'] === 'success',
}

export const codex: HookedAgent = {
  name: 'codex',
  installedAs: 'codex',
  settings: { user: ['.codex/hooks.json', '.codex/config.toml'], project: ['.codex/hooks.json'] },
  resume: (session) => ['resume', session],
  saysSuccess: (stdout) => jsonLines(stdout).at(-1)?.['type'] === 'turn.completed',
}

export const gemini: HookedAgent = {
  name: 'gemini',
  installedAs: 'gemini',
  settings: { user: ['.gemini/settings.json'], project: ['.gemini/settings.json'] },
  resume: (session) => ['--resume', session],
  saysSuccess: (stdout) => linesOfType(stdout, 'result').at(-1)?.['status'] === 'success',
}

export const qwen: HookedAgent = {
  name: 'qwen',
  installedAs: 'qwen',
  settings: { user: ['.qwen/settings.json'], project: ['.qwen/settings.json'] },
  resume: (session) => ['--resume', session],
  saysSuccess: (stdout) => linesOfType(stdout, 'result').at(-1)?.['subtype'] === 'success',
}

export const copilot: HookedAgent = {
  name: 'copilot',
  installedAs: 'copilot',
  settings: { user: ['.copilot/hooks/donecheck.json'], project: ['.github/hooks/donecheck.json'] },
  resume: (session) => [`--resume=${session}`],
  saysSuccess: (stdout) => linesOfType(stdout, 'result').at(-1)?.['exitCode'] === 0,
}
