import type { PatchFiles } from '../change-set.ts'
import type { AddHunk, Hunk, UpdateHunk } from '../hunk.ts'
import { parsePatch } from '../parse.ts'
import { placeChunks } from '../place/place-chunks.ts'
import type { SoughtFile } from '../place/sought-file.ts'
import { encodeUtf8 } from '../utf8.ts'
import { planAddition, planDeletion, planOf, planUpdate, type Planning } from './file-operations.ts'
import { Overlay } from './overlay.ts'
import { refusePlan, type Plan, type PlanOptions } from './plan.ts'

/**
 * What a V4A patch would do, in mode `strict`: every chunk must mean one place, and nothing is lost that the patch does not
 * name. Its parts are taken in order, each on what the ones before have made. Writes nothing; never throws, whatever the text.
 */
export async function planPatch(text: string, files: PatchFiles, options: PlanOptions = {}): Promise<Plan> {
  const parsed = parsePatch(text, { dialect: 'strict' })
  if (parsed.kind === 'invalid') {
    const { message, line } = parsed
    return refusePlan({ kind: 'malformed', message, ...(line === undefined ? {} : { patchLine: line }) })
  }
  if (parsed.hunks.length === 0) return refusePlan({ kind: 'malformed', message: 'the patch names no file' })
  const planning: Planning = { overlay: new Overlay(files), options, problems: [], notes: [] }
  if (parsed.environmentId !== undefined)
    planning.notes.push(
      `the environment ${JSON.stringify(parsed.environmentId)} is not looked at: there is only this one`,
    )
  for (const hunk of parsed.hunks) await planHunk(planning, hunk)
  return planOf(planning)
}

async function planHunk(planning: Planning, hunk: Hunk): Promise<void> {
  switch (hunk.kind) {
    case 'add':
      return planAddition(planning, { path: hunk.path, line: hunk.line, bytes: encodeUtf8(textOf(hunk)) })
    case 'delete':
      return planDeletion(planning, hunk)
    case 'update':
      return planUpdateHunk(planning, hunk)
  }
}

function textOf({ lines, isUnterminated }: AddHunk): string {
  const text = lines.join('\n')
  return lines.length === 0 || isUnterminated === true ? text : `${text}\n`
}

async function planUpdateHunk(planning: Planning, { path, moveTo, chunks, line }: UpdateHunk): Promise<void> {
  const moved = moveTo === undefined ? {} : { moveTo }
  if (chunks.length === 0) return planUpdate(planning, { path, line, ...moved })
  const place = (file: SoughtFile) => placeChunks(file, chunks)
  const change = { path, line, loneReturns: 'end' as const, place }
  return planUpdate(planning, { path, line, ...moved, change })
}
