/** What calls of a program's own tools would do, as whoever made the tools says it. */
import type { HostAct } from './host-event.ts'

/** What the calls of a tool would do, by the tool's name. A tool that is not named may do anything. */
export type ToolActs = Readonly<Record<string, HostAct | ((input: unknown) => HostAct)>>

/** Only what stands in the map itself: a model may call a tool `constructor`. */
export function actOfTool(tool: string, input: unknown, acts: ToolActs): HostAct {
  const act = Object.hasOwn(acts, tool) ? acts[tool] : undefined
  if (typeof act !== 'function') return act ?? { kind: 'unknown' }
  try {
    return act(input)
  } catch {
    return { kind: 'unknown' }
  }
}
