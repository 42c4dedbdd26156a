import type { ToolEffect } from '../event.ts'

/** Tools that only look, by names that agents in use give them. */
const lookingTool =
  /^(?:read|view|open|cat|head|tail|list|ls|glob|find|grep|search|look|show|fetch|browse|web_?(?:search|fetch))(?:$|_|[A-Z])/

/** The call changes nothing, as far as its tool's effect or name says. */
export function looks(tool: string, effect: ToolEffect | undefined): boolean {
  return effect === 'read' || lookingTool.test(tool)
}
