import type { HookProtocol } from '../../agents/index.ts'
import { claudeCodeHooks } from '../../adapters/claude-code/index.ts'
import { codexHooks } from '../../adapters/codex/index.ts'
import { copilotHooks } from '../../adapters/copilot/index.ts'
import { cursorHooks } from '../../adapters/cursor/index.ts'
import { geminiHooks } from '../../adapters/gemini/index.ts'
import { qwenHooks } from '../../adapters/qwen/index.ts'

/** Every agent whose hooks are known. */
export const hookProtocols: readonly HookProtocol[] = [
  claudeCodeHooks,
  codexHooks,
  geminiHooks,
  qwenHooks,
  copilotHooks,
  cursorHooks,
]
