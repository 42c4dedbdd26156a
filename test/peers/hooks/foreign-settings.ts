/** What others have written into the settings of agents: hooks beside ours, in a form of their own. */
import type { Foreign } from './configuration.ts'

const hook = (event: string) =>
  `"hooks": {"${event}" : [ {"hooks":[ { "type":"command",\n      "command": "true" }]} ] }`

/** Into the first object of the text, or a new one; two spaces at the end and no line feed. */
function withHook(event: string, more = ''): (text: string) => string {
  return (text) =>
    text.trim() === ''
      ? `{ ${more}${hook(event)}\n\n\n}  `
      : text.replace('{', `{ ${more}${hook(event)},\n\t`).trimEnd()
}

type ForeignOf = Readonly<Record<'user' | 'project', readonly Foreign[]>>

export const claudeForeign: ForeignOf = {
  user: [{ file: '~/.claude/settings.json', write: withHook('Stop', '"cleanupPeriodDays":17 ,') }],
  project: [{ file: '.claude/settings.json', write: withHook('PostToolUse') }],
}

export const codexForeign: ForeignOf = {
  user: [
    { file: '~/.codex/hooks.json', write: withHook('Stop') },
    { file: '~/.codex/config.toml', write: (text) => `# mine\n\n${text.trimEnd()}   # and no line feed` },
  ],
  // It reads the hooks of a project that it trusts.
  project: [
    { file: '.codex/hooks.json', write: withHook('PostToolUse') },
    {
      file: '~/.codex/config.toml',
      write: (text, { project }) => `${text}\n[projects."${project}"]\ntrust_level = "trusted"\n`,
    },
  ],
}

export const geminiForeign: ForeignOf = {
  user: [{ file: '~/.gemini/settings.json', write: withHook('AfterAgent', '/* mine */ ') }],
  project: [{ file: '.gemini/settings.json', write: withHook('AfterTool') }],
}

export const qwenForeign: ForeignOf = {
  user: [{ file: '~/.qwen/settings.json', write: withHook('Stop') }],
  project: [{ file: '.qwen/settings.json', write: withHook('PostToolUse') }],
}

const copilotHooks = '{"version":1,   "hooks":{"agentStop":[{"type":"command","bash":"true"}]}}'

export const copilotForeign: ForeignOf = {
  user: [{ file: '~/.copilot/hooks/mine.json', write: () => copilotHooks }],
  // It reads the hooks of a project that it trusts, where nobody attends it.
  project: [
    { file: '.github/hooks/mine.json', write: () => copilotHooks },
    {
      file: '~/.copilot/config.json',
      write: (_, { project }) => JSON.stringify({ trusted_folders: [project] }),
    },
  ],
}
