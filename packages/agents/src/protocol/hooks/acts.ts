import type { ToolEffect } from '@donecheck/core/events'
import {
  isTrueIn,
  payloadOf,
  recordsIn,
  textIn,
  type HostAct,
  type HostEdit,
  type Payload,
} from '../host/index.ts'
import { given } from '@donecheck/engine/base'

/**
 * Of a tool's arguments. Of a tool that changes files, what cannot be read is `unreadable`, and never harmless.
 * @param given the same as they came, which need not be an object
 */
export type ActReader = (args: Payload, given?: unknown) => HostAct

const unknown: HostAct = { kind: 'unknown' }
const unreadable: HostAct = { kind: 'unreadable' }

const reads: ActReader = () => ({ kind: 'read' })

export function readers(names: readonly string[]): Readonly<Record<string, ActReader>> {
  return Object.fromEntries(names.map((name) => [name, reads]))
}

/** @param folderName the argument that tells where it runs */
export function runs(commandName: string, folderName?: string): ActReader {
  return (args) => {
    const script = textIn(args, commandName)
    if (script === undefined) return unknown
    const folder = folderName === undefined ? undefined : textIn(args, folderName)
    return { kind: 'command', script, ...(folder === undefined || folder === '' ? {} : { folder }) }
  }
}

export function writes(pathNames: readonly string[], contentNames: readonly string[]): ActReader {
  return (args) => {
    const path = textIn(args, ...pathNames)
    if (path === undefined) return unreadable
    return { kind: 'write', path, ...given({ content: textIn(args, ...contentNames) }) }
  }
}

export function edits(
  pathNames: readonly string[],
  isAll: (edit: Payload) => boolean = replacesAll,
): ActReader {
  return (args) => {
    const path = textIn(args, ...pathNames)
    const several = recordsIn(args, 'edits')
    const made = (several.length > 0 ? several : [args]).map((edit) => editOf(edit, isAll))
    if (path === undefined) return unreadable
    const known = made.flatMap((edit) => edit ?? [])
    return known.length === made.length ? { kind: 'edit', path, edits: known } : { kind: 'write', path }
  }
}

export function patches(patchName: string): ActReader {
  return (args) => {
    const patch = textIn(args, patchName)
    return patch === undefined ? unreadable : { kind: 'patch', patch }
  }
}

function replacesAll(edit: Payload): boolean {
  return isTrueIn(edit, 'replace_all') || isTrueIn(edit, 'allow_multiple')
}

function editOf(edit: Payload, isAll: (edit: Payload) => boolean): HostEdit | undefined {
  const old = textIn(edit, 'old_string', 'old_str', 'oldText')
  const replacement = textIn(edit, 'new_string', 'new_str', 'newText')
  if (old === undefined || replacement === undefined) return undefined
  return { old, replacement, all: isAll(edit) }
}

/** Tools of the table by their names; every other one may do anything. */
export function actOf(tools: Readonly<Record<string, ActReader>>, tool: string, args: unknown): HostAct {
  const read = Object.hasOwn(tools, tool) ? tools[tool] : undefined
  return read === undefined ? unknown : read(payloadOf(args) ?? {}, args)
}

export function effectByName(
  reading: readonly string[],
  writing: readonly string[],
): (tool: string) => ToolEffect {
  return (tool) => (reading.includes(tool) ? 'read' : writing.includes(tool) ? 'write' : 'execute')
}
