import type { PatchFiles } from '../change-set.ts'
import type { AddHunk, Chunk, Hunk } from '../hunk.ts'
import { parsePatch } from '../parse.ts'
import { placeChunks } from '../place/place-chunks.ts'
import { replaceLines } from '../place/replace-lines.ts'
import { SoughtFile } from '../place/sought-file.ts'
import { joinLines, splitLines } from '../text-file.ts'
import { encodeUtf8 } from '../utf8.ts'
import {
  planAddition,
  planDeletion,
  planOf,
  planUpdate,
  type EditedText,
  type Planning,
} from './file-operations.ts'
import { Overlay } from './overlay.ts'
import { refusePlan, type Plan } from './plan.ts'

/**
 * What a V4A patch would do, in mode `strict`: every chunk must mean one place, and nothing is lost that the patch does not
 * name. Its parts are taken in order, each on what the ones before have made. Writes nothing; never throws, whatever the text.
 */
export async function planPatch(text: string, files: PatchFiles): Promise<Plan> {
  const parsed = parsePatch(text, { dialect: 'strict' })
  if (parsed.kind === 'invalid') {
    const { message, line } = parsed
    return refusePlan({ kind: 'malformed', message, ...(line === undefined ? {} : { patchLine: line }) })
  }
  if (parsed.hunks.length === 0) return refusePlan({ kind: 'malformed', message: 'the patch names no file' })
  const planning: Planning = { overlay: new Overlay(files), problems: [], notes: [] }
  if (parsed.environmentId !== undefined)
    planning.notes.push(
      `the environment ${JSON.stringify(parsed.environmentId)} is not looked at: there is only this one`,
    )
  for (const hunk of parsed.hunks) await planHunk(planning, hunk)
  return planOf(planning)
}

async function planHunk(planning: Planning, hunk: Hunk): Promise<void> {
  const { path, line } = hunk
  switch (hunk.kind) {
    case 'add':
      return planAddition(planning, { path, line, bytes: encodeUtf8(textOf(hunk)) })
    case 'delete':
      return planDeletion(planning, { path, line })
    case 'update': {
      const { moveTo, chunks } = hunk
      const edit = (text: string, real: string) => applyChunks(text, chunks, real, true)
      return planUpdate(planning, {
        path,
        line,
        ...(moveTo === undefined ? {} : { moveTo }),
        ...(chunks.length === 0 ? {} : { edit }),
      })
    }
  }
}

function textOf({ lines, isUnterminated }: AddHunk): string {
  const text = lines.join('\n')
  return lines.length === 0 || isUnterminated === true ? text : `${text}\n`
}

/** The text after all chunks: strictly, or as Codex computes it. @param path for messages */
export function applyChunks(
  text: string,
  chunks: readonly Chunk[],
  path: string,
  isStrict: boolean,
): EditedText {
  const lines = splitLines(text)
  const { placed, problems, notes } = placeChunks(new SoughtFile(path, lines), chunks, isStrict)
  if (problems.length > 0) return { kind: 'failed', problems }
  const changed = replaceLines(path, lines, placed, isStrict)
  if ('message' in changed) return { kind: 'failed', problems: [changed] }
  const added = placed.flatMap((chunk) => chunk.lines).filter(({ kind }) => kind === 'added')
  const addedText = added.map((line) => line.text).join('\n')
  return { kind: 'changed', text: joinLines(changed), added: addedText, notes }
}
