import type { JsonValue, ToolEffect } from '../../events/index.ts'
import { textAt } from './arguments.ts'

/** Tools that change files, by names that agents in use give them. */
const editingTool =
  /^(?:(?:[Ee]dit|[Ww]rite|[Mm]ulti_?[Ee]dit|[Nn]otebook_?[Ee]dit|str_replace|[Aa]pply_?[Pp]atch)(?:$|_|[A-Z])|(?:[Cc]reate|[Aa]ppend|[Ii]nsert|[Rr]eplace|delete|rename|move)(?:$|_?(?:[Ff]ile|[Ll]ines?|[Tt]ext|in_file|to_file)))/
/** Commands of an editor tool that only show a file. */
const viewing = /^(?:view|read|open|cat)$/
const pathKeys = ['path', 'file_path', 'filePath', 'filename', 'file', 'target_file', 'notebook_path']

/**
 * The files that a call of an editing tool names; empty: its arguments name none that can be read here, such as those of a patch.
 * Undefined: the call is not known to edit. What a command line writes is not read.
 * @param effect what the tool declares; undefined: unknown
 */
export function editedPaths(
  tool: string,
  args: JsonValue,
  effect: ToolEffect | undefined,
): readonly string[] | undefined {
  const isEditing = effect === 'write' || (effect !== 'read' && editingTool.test(tool))
  if (!isEditing || viewing.test(textAt(args, 'command') ?? '')) return undefined
  const named = pathKeys.map((key) => textAt(args, key)).find((value) => value !== undefined)
  return named === undefined ? [] : [named]
}
