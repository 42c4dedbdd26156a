/** What calls of a program's own tools would do, as whoever made the tools says it. */
import type { JsonValue } from '@donecheck/core/events'
import type { HostAct, HostCall } from './host-event.ts'

/** What the calls of a tool would do, by the tool's name. A tool that is not named may do anything. */
export type ToolActs = Readonly<Record<string, HostAct | ((input: unknown) => HostAct)>>

/** Only what stands in the map itself: a model may call a tool `constructor`. */
function actOfTool(tool: string, input: unknown, acts: ToolActs): HostAct {
  const act = Object.hasOwn(acts, tool) ? acts[tool] : undefined
  if (typeof act !== 'function') return act ?? { kind: 'unknown' }
  try {
    return act(input)
  } catch {
    return { kind: 'unknown' }
  }
}

/** @param input as the tool gets it. Default: as it is kept */
export function callOfTool(
  call: { readonly callId: string; readonly tool: string; readonly args: JsonValue },
  acts: ToolActs,
  input: unknown = call.args,
): HostCall {
  return { ...call, act: actOfTool(call.tool, input, acts) }
}
