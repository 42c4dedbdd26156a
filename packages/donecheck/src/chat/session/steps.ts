import { plural, type Line, line } from '@donecheck/core/internal/base'
import { unifiedDiffOf } from '@donecheck/engine/internal/analysis/patch'
import type { KeptTree, KeptTrees } from '@donecheck/engine/internal/checks/workspace'
import { relative, resolve, sep } from 'node:path'
import type { JsonValue, RunEvent } from '@donecheck/core/internal/events'
import { editedPaths } from '@donecheck/core/internal/state'
import { decompose, writtenPlaces } from '@donecheck/engine/internal/analysis/shell'
import { quiet } from '../screen/screen.ts'

interface Step {
  readonly before: KeptTree
  readonly after: KeptTree
  readonly written: ReadonlySet<string>
}

export class Steps {
  readonly #trees: KeptTrees
  readonly #signal = new AbortController().signal
  #done: Step[] = []
  #undone: Step[] = []
  #first: KeptTree | undefined
  #before: KeptTree | undefined

  constructor(trees: KeptTrees) {
    this.#trees = trees
  }

  async begin(): Promise<void> {
    this.#before = await this.#trees.keep(this.#signal)
    this.#first ??= this.#before
  }

  async end(written: ReadonlySet<string>): Promise<void> {
    const before = this.#before
    this.#before = undefined
    if (before === undefined) return
    const after = await this.#trees.keep(this.#signal)
    const { changes, unknown } = this.#trees.difference(before, after)
    if (changes.length + unknown.length === 0) return
    this.#done.push({ before, after, written })
    this.#undone = []
  }

  async difference(of: 'session' | 'last') {
    const last = this.#done.at(-1)
    const from = of === 'session' ? this.#first : (this.#before ?? last?.before)
    if (from === undefined) return { diff: '', lines: [quiet('nothing has been done yet')] }
    const to =
      of === 'last' && this.#before === undefined && last !== undefined
        ? last.after
        : await this.#trees.keep(this.#signal)
    const { changes, unknown } = this.#trees.difference(from, to)
    const count = changes.length + unknown.length
    const since = of === 'session' ? 'since the session began' : 'by the latest message'
    return {
      diff: unifiedDiffOf(changes),
      lines: [
        quiet(count === 0 ? `nothing was changed ${since}` : `${plural(count, 'file')} changed ${since}`),
        ...unknown.map((path) => quiet(`  ${path}: cannot be shown as text`)),
      ],
    }
  }

  /** @returns lines for the screen, and the changed paths */
  async undo(): Promise<{ readonly lines: readonly Line[]; readonly changed: readonly string[] }> {
    const step = this.#done.pop()
    if (step === undefined) return { lines: [quiet('there is nothing to take back')], changed: [] }
    const moved = await this.#move(step.after, step.before, 'taken back', (path) => step.written.has(path))
    if (moved.changed.length === 0 && moved.left.length > 0) this.#done.push(step)
    else this.#undone.push(step)
    return moved
  }

  async redo(): Promise<{ readonly lines: readonly Line[]; readonly changed: readonly string[] }> {
    const step = this.#undone.pop()
    if (step === undefined) return { lines: [quiet('nothing was taken back')], changed: [] }
    const moved = await this.#move(step.before, step.after, 'put back', () => true)
    if (moved.changed.length === 0 && moved.left.length > 0) this.#undone.push(step)
    else this.#done.push(step)
    return moved
  }

  async #move(from: KeptTree, to: KeptTree, how: string, mayDelete: (path: string) => boolean) {
    const restored = await this.#trees.restore(from, to, mayDelete, this.#signal)
    const { changed, left, appeared, problem } = restored
    const lines: Line[] = [
      ...changed.map((path) => line('plain', `  ${how}: ${path}`)),
      ...left.map((path) => line('warning', `  left as it is: ${path}`)),
      ...(problem === undefined ? [] : [line('bad', problem)]),
      ...(left.length > 0 && problem === undefined
        ? [quiet('what was changed since, and what is no plain file, stays')]
        : []),
      ...appeared.map((path) => line('warning', `  not deleted: ${path}`)),
      ...(appeared.length > 0
        ? [quiet('nothing shows that the agent made these files: delete those you do not want yourself')]
        : []),
    ]
    return { lines, changed, left }
  }
}

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

function pathsIn(args: JsonValue): readonly string[] {
  if (typeof args === 'string') return [args, ...[...args.matchAll(patchedFile)].map(([, path = '']) => path)]
  if (typeof args !== 'object' || args === null) return []
  return Object.entries(args).flatMap(([name, value]: [string, JsonValue]) => [name, ...pathsIn(value)])
}
