import { relative, resolve, sep } from 'node:path'
import type { JsonValue, RunEvent } from '@donecheck/core/events'
import { editedPaths } from '@donecheck/core/state'
import { decompose, writtenPlaces } from '@donecheck/engine/shell'

/** Names a file in the patch formats that agents use. */
const patchedFile = /^(?:\*\*\* (?:Add File|Move to): |\+\+\+ (?:b\/)?)([^\t\r\n]+)/gm

export class WrittenPaths {
  readonly #folder: string
  readonly #calls = new Map<string, { readonly tool: string; readonly args: JsonValue }>()
  readonly #paths = new Set<string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Relative to the work folder, with `/`. Refused calls are left out. */
  get paths(): ReadonlySet<string> {
    return this.#paths
  }

  note(event: RunEvent): void {
    if (event.type === 'model-replied') for (const call of event.toolCalls) this.#calls.set(call.callId, call)
    if (event.type !== 'tool-returned' || event.status !== 'ok') return
    const call = this.#calls.get(event.callId)
    if (call === undefined) return
    for (const path of pathsWrittenBy(call))
      this.#paths.add(relative(this.#folder, resolve(this.#folder, path)).split(sep).join('/'))
  }
}

function pathsWrittenBy({ tool, args }: { readonly tool: string; readonly args: JsonValue }) {
  const edited = editedPaths(tool, args, undefined)
  if (edited !== undefined) return edited.length > 0 ? edited : pathsIn(args)
  const line = commandLineOf(args)
  return line === undefined ? [] : pathsWrittenByLine(line)
}

function pathsWrittenByLine(line: string): readonly string[] {
  const { commands, writes } = decompose(line)
  const places = commands.flatMap((found) => writtenPlaces(found) ?? []).filter(({ kind }) => kind === 'file')
  return [...writes, ...places].flatMap(({ path }) => path ?? [])
}

/** Agents pass the line as text, or as the last word of a list such as `bash -lc LINE`. */
function commandLineOf(args: JsonValue): string | undefined {
  if (typeof args !== 'object' || args === null || !('command' in args)) return undefined
  const { command } = args
  const line: unknown = Array.isArray(command) ? command.at(-1) : command
  return typeof line === 'string' ? line : undefined
}

/** All names and texts of the arguments, and the files of every patch in them. */
function pathsIn(args: JsonValue): readonly string[] {
  if (typeof args === 'string') return [args, ...[...args.matchAll(patchedFile)].map(([, path = '']) => path)]
  if (typeof args !== 'object' || args === null) return []
  return Object.entries(args).flatMap(([name, value]: [string, JsonValue]) => [name, ...pathsIn(value)])
}
