import type { JsonValue, ToolEffect } from '../../events/index.ts'
import { textAt } from './arguments.ts'

/** Tools that only look, by names that agents in use give them. */
const lookingTool =
  /^(?:read|view|open|cat|head|tail|list|ls|glob|find|grep|search|look|show|fetch|browse|web_?(?:search|fetch))(?:$|_|[A-Z])/

/** One simple command that only looks, of a shell or of an editor, perhaps in another folder; what is piped, redirected or substituted is not looked into. */
const lookingCommand =
  /^\s*(?:cd\s+[\w./~-]+\s*&&\s*)?(?:sed\s+-n\s+['"]?[\d,$]+p['"]?|view|cat|head|tail|grep|rg|ls|wc|pwd|git\s+(?:status|diff|log|show|blame))(?: [^;&|<>`$(){}\n]*)?$/
/** A longer command line is a program. */
const maxCommandLength = 500

/** The call changes nothing, as far as its tool's effect or name, or the command that it runs, says. */
export function looks(tool: string, effect: ToolEffect | undefined, args: JsonValue): boolean {
  const command = textAt(args, 'command') ?? ''
  const isLookingCommand = command.length <= maxCommandLength && lookingCommand.test(command)
  return effect === 'read' || lookingTool.test(tool) || isLookingCommand
}
