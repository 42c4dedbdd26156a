import type { ToolTraits } from '../events/settings/index.ts'
import type { RunState } from './state.ts'

/** What the user of this run has declared of a tool. */
export function traitsOf({ settings }: Pick<RunState, 'settings'>, tool: string): ToolTraits | undefined {
  const tools = settings.soft?.loopDetection.tools
  return tools !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined
}
