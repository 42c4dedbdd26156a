import type { JsonValue } from '../../events/index.ts'
import type { ToolTraits } from '../../events/settings/index.ts'
import { commandKeys, textAt } from './arguments.ts'

/** Tools that wait or ask how something stands, by names that agents in use give them. */
const waitingTool =
  /^(?:poll|wait|sleep|continue_wait)(?:$|_)|^(?:bash|task)_?output$|(?:^|_)(?:get|check|command|process|job|task|run|build|deployment|pipeline)_?(?:status|state)$/i
/** A command line that waits on purpose. */
const waitingCommand = /(?:^|[\s;&|(])(?:sleep|wait|timeout\s+\S+\s+tail\s+-[fF])(?:\s|$)/
/** Command lines that ask how a job, a server or a log stands, and are made again for that. */
const askingCommand =
  /(?:^|[\s;&|(])(?:gh\s+(?:run|pr)\s+(?:view|watch|checks)|kubectl\s+(?:get|rollout)|docker\s+(?:ps|logs)|systemctl\s+status|squeue|curl\s[^|;&]{0,200}(?:health|status|ready)|tail\s[^|;&]{0,200}\.log)(?:\W|$)/
/** One that lets time pass by itself. */
const pausingCommand = /(?:^|[\s;&|(.])sleep(?:\s+[\d.$]|\()/
const pausingTool = /^(?:wait|sleep|continue_wait)(?:$|_)/i
/** A call that took so long has let time pass, however it did so. */
const pauseMs = 5000
/** Of a command line. */
const lookedThrough = 2000
/** Values of an argument `action` that ask how something stands. */
const pollActions = ['poll', 'log', 'status', 'wait']

/** The call waits or asks how something stands, so that being made again is no sign of a loop by itself. */
export function waits(tool: string, args: JsonValue, traits: ToolTraits | undefined): boolean {
  if (traits?.poll !== undefined) return traits.poll
  if (waitingTool.test(tool)) return true
  const action = textAt(args, 'action')
  if (action !== undefined && pollActions.includes(action)) return true
  return someCommand(args, (command) => waitingCommand.test(command) || askingCommand.test(command))
}

/** @param durationMs absent: nobody has looked at the time */
export function pauses(tool: string, args: JsonValue, durationMs: number | undefined): boolean {
  if (durationMs !== undefined) return durationMs >= pauseMs
  return pausingTool.test(tool) || someCommand(args, (command) => pausingCommand.test(command))
}

function someCommand(args: JsonValue, test: (command: string) => boolean): boolean {
  return commandKeys.some((key) => {
    const value = textAt(args, key)
    return value !== undefined && test(value.slice(0, lookedThrough))
  })
}
