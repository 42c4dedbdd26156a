import type { LoopRecord } from '../records.ts'

export interface UnknownTool {
  readonly count: number
  readonly name: string | undefined
}

/** Newest calls, all of this tool and all answered with the same name of a tool that is not there. */
export function unknownTool(history: readonly LoopRecord[], toolName: string): UnknownTool {
  const name = history.at(-1)?.outcome?.unknownToolName
  if (name === undefined) return { count: 0, name }
  const broken = history.findLastIndex(
    (record) => record.toolName !== toolName || record.outcome?.unknownToolName !== name,
  )
  return { count: history.length - 1 - broken, name }
}
