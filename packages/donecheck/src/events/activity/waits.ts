import type { JsonValue } from '../event.ts'
import type { ToolTraits } from '../soft-settings.ts'

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
/** Arguments that hold a command line or a program. */
const commandKeys = ['command', 'cmd', 'script', 'content', 'code']
/** Of a command line. */
const lookedThrough = 2000
/** Values of an argument `action` that ask how something stands. */
const pollActions = ['poll', 'log', 'status', 'wait']

/** The call waits or asks how something stands, so that being made again is no sign of a loop by itself. */
export function waits(tool: string, args: JsonValue, traits: ToolTraits | undefined): boolean {
  if (traits?.poll !== undefined) return traits.poll
  if (waitingTool.test(tool)) return true
  return someText(args, (key, value) =>
    key === 'action'
      ? pollActions.includes(value)
      : isCommand(key, value, waitingCommand) || isCommand(key, value, askingCommand),
  )
}

/** @param durationMs absent: nobody has looked at the time */
export function pauses(tool: string, args: JsonValue, durationMs: number | undefined): boolean {
  if (durationMs !== undefined) return durationMs >= pauseMs
  return pausingTool.test(tool) || someText(args, (key, value) => isCommand(key, value, pausingCommand))
}

function isCommand(key: string, value: string, pattern: RegExp): boolean {
  return commandKeys.includes(key) && pattern.test(value.slice(0, lookedThrough))
}

function someText(args: JsonValue, test: (key: string, value: string) => boolean): boolean {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return false
  return Object.entries(args).some(
    ([key, value]: [string, JsonValue]) => typeof value === 'string' && test(key, value),
  )
}
