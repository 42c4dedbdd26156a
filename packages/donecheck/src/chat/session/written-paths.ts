/** What the calls of a run name as the files that they write. */
import { relative, resolve, sep } from 'node:path'
import type { JsonValue, RunEvent } from '@donecheck/core/events'
import { deedsOf } from '@donecheck/core/state'

/** A file that a patch brings, in the forms that agents use. */
const patchedFile = /^(?:\*\*\* (?:Add File|Move to): |\+\+\+ (?:b\/)?)([^\t\r\n]+)/gm

export class WrittenPaths {
  readonly #folder: string
  readonly #calls = new Map<string, { readonly tool: string; readonly args: JsonValue }>()
  readonly #paths = new Set<string>()

  /** @param folder absolute: the work folder */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Relative to the work folder, with `/`. Only of calls that succeeded: a refused one has written nothing. */
  get paths(): ReadonlySet<string> {
    return this.#paths
  }

  note(event: RunEvent): void {
    if (event.type === 'model-replied') for (const call of event.toolCalls) this.#calls.set(call.callId, call)
    if (event.type !== 'tool-returned' || event.status !== 'ok') return
    const call = this.#calls.get(event.callId)
    if (call === undefined) return
    for (const deed of deedsOf(call.tool, call.args, undefined)) {
      if (deed.kind !== 'write') continue
      for (const path of deed.path === null ? pathsIn(call.args) : [deed.path])
        this.#paths.add(relative(this.#folder, resolve(this.#folder, path)).split(sep).join('/'))
    }
  }
}

/** Every name and text among the arguments, and the files of every patch. */
function pathsIn(args: JsonValue): readonly string[] {
  if (typeof args === 'string') return [args, ...[...args.matchAll(patchedFile)].map(([, path = '']) => path)]
  if (typeof args !== 'object' || args === null) return []
  return Object.entries(args).flatMap(([name, value]: [string, JsonValue]) => [name, ...pathsIn(value)])
}
