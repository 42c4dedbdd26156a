/** What a call that Claude Code asks for would do, as our gate wants to know it. Looks at files, changes none. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { actOf as actByName } from '../../../protocol/hooks/index.ts'
import type { HostAct } from '../../../protocol/host/index.ts'
import type { LookedAt } from '../../../protocol/stream/index.ts'
import type { FileChange } from '@donecheck/engine/ports/gate'
import { prepareAct } from '../../../session/index.ts'
import type { CallInQuestion } from './control-words.ts'
import { tools } from '../tools.ts'
import { given } from '@donecheck/engine/base'

/** Characters of a file that is shown to a person. */
const maxPreviewLength = 20_000

export interface RequestContext {
  /** Absolute. */
  readonly workFolder: string
  /** Where commands run now, absolute. */
  readonly folder: string
  /** Absolute: what makes it ask. */
  readonly ownPlaces: readonly string[]
}

/** Before every call. What lies outside of the work folder is between Claude Code and its user, as `--add-dir` has it. */
export async function lookAt(call: CallInQuestion, place: RequestContext): Promise<LookedAt> {
  const { callId, tool, args } = call
  const act = actOf(call, place)
  const { workFolder, ownPlaces } = place
  const prepared = await prepareAct({ callId, tool, args, act }, { workFolder, ownPlaces })
  if (prepared.kind === 'invalid') return { refusal: prepared.reason }
  const { summary, action } = prepared
  const preview = action?.kind === 'change' ? previewOf(action.files) : undefined
  return { summary, ...given({ action, preview }) }
}

/**
 * Where its own permissions want a person: nobody but us decides. A change out of the work folder is for the gate, which forbids
 * it; one within was looked at before, and is asked for because Claude Code does: it may be of a file that it protects.
 */
export async function lookAgain(call: CallInQuestion, place: RequestContext): Promise<LookedAt> {
  const { action, ...looked } = await lookAt(call, place)
  if (action?.kind === 'command') return { ...looked, action }
  const act = actOf(call, place)
  if (looked.refusal !== undefined) return looked
  const isChange = act.kind === 'write' || act.kind === 'edit'
  if (!isChange || action !== undefined) return looked
  const files = [{ path: act.path, before: undefined, after: undefined }]
  return { ...looked, action: { kind: 'change', files } }
}

/** Claude Code tells paths in full, and other names of tools, from one word on a call to the next. */
export function isSameAct(one: CallInQuestion, other: CallInQuestion, place: RequestContext): boolean {
  return JSON.stringify(actOf(one, place)) === JSON.stringify(actOf(other, place))
}

/** A path in full, a default that was filled in: the same call. Of what is not known what it does, every word counts. */
export function isSameCall(one: CallInQuestion, other: CallInQuestion, place: RequestContext): boolean {
  if (one.tool === other.tool && isDeepStrictEqual(one.args, other.args)) return true
  const { kind } = actOf(one, place)
  return kind !== 'unknown' && kind !== 'read' && isSameAct(one, other, place)
}

function actOf({ tool, args, folder }: CallInQuestion, place: RequestContext): HostAct {
  const act = actByName(tools, tool, args)
  switch (act.kind) {
    case 'command':
      return { ...act, folder: folder ?? place.folder }
    case 'write':
    case 'edit':
      return { ...act, path: pathOf(act.path, place) }
    default:
      return act
  }
}

function pathOf(path: string, { folder }: RequestContext): string {
  return resolve(folder, path.startsWith('~/') ? join(homedir(), path.slice(2)) : path)
}

function previewOf(files: readonly FileChange[]): string {
  const shown = files.map(({ path, before, after }) => {
    if (after === null) return `delete ${path}`
    if (after === undefined) return `change ${path}; how, cannot be told`
    return `${typeof before === 'string' ? 'change' : 'create'} ${path} to:\n${after}`
  })
  const text = shown.join('\n\n')
  return text.length <= maxPreviewLength ? text : `${text.slice(0, maxPreviewLength).toWellFormed()}…`
}
