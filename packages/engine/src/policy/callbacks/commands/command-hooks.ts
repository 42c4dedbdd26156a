/** Commands at the points of the loop: what happened as JSON in, an answer as JSON out. */
import { UsageError } from '../../../base/index.ts'
import type { HookPoint } from '@donecheck/core/gate'
import type { HookRegistration, HookLists, HookReturn, NameMatch } from '../register/registration.ts'
import { rulesOfPoints } from '../merge/rules-of-points.ts'
import { askCommand, type CommandPlace } from './ask-command.ts'

/** How a hook is registered, with a line for a shell instead of a function. */
export interface CommandHook extends Pick<
  HookRegistration,
  'name' | 'priority' | 'timeoutMs' | 'onFailure' | 'mode'
> {
  readonly point: HookPoint
  readonly command: string
  readonly match?: NameMatch
}

/** A command has to be started first. */
const defaultTimeoutMs = 30_000

/**
 * Each is run in the folder, with the occasion on standard input. Exit 0: what it printed is its answer, nothing is none. Exit 2:
 * it refuses, and what it wrote on standard error is the reason. Anything else is a failure of the hook.
 * @throws {UsageError} for a match where there are no names
 */
export function commandHooks(commands: readonly CommandHook[], place: CommandPlace): HookLists {
  function at<Point extends HookPoint>(
    point: Point,
    matchOf: (match: NameMatch, name: string) => NonNullable<HookRegistration<Point>['match']>,
  ): readonly HookRegistration<Point>[] {
    return commands
      .filter((given) => given.point === point)
      .map(({ command, match, ...given }) => ({
        timeoutMs: defaultTimeoutMs,
        ...given,
        point,
        ...(match === undefined ? {} : { match: matchOf(match, given.name) }),
        run: async (input, signal) =>
          resultOf(point, await askCommand({ command, point, input, signal }, place)),
      }))
  }
  return {
    tools: [
      ...at('before_tool_call', named),
      ...at('after_tool_call', named),
      ...at('tool_result_persist', named),
    ],
    verifiers: [
      ...at('before_verification', named),
      ...at('after_verification', named),
      ...at('before_finalize', named),
    ],
    lifecycle: [
      ...at('run_started', nameless),
      ...at('before_turn', nameless),
      ...at('after_turn', nameless),
      ...at('on_transition', nameless),
      ...at('on_error', nameless),
      ...at('run_ended', nameless),
    ],
  }
}

function named(match: NameMatch): NameMatch {
  return match
}

function nameless(_match: NameMatch, name: string): never {
  throw new UsageError(`hook "${name}": match has no meaning here, for there are no names; leave it out`)
}

/** @throws {TypeError} for an answer that the point has no meaning for */
function resultOf<Point extends HookPoint>(point: Point, answer: unknown): HookReturn<Point> {
  const reading = rulesOfPoints[point].read(answer)
  if (reading.kind === 'wrong') throw new TypeError(reading.problem)
  return reading.result
}
