import { realpath } from 'node:fs/promises'
import type { VerifierContext } from '../../../../ports/checks.ts'
import { scriptsBehind } from '../exit-code/exit-code.ts'
import { findSpellings, withFolder } from './folder-names.ts'

export interface LineAndEnvironment {
  readonly line: string
  /** What the check adds to the environment. */
  readonly environment: Readonly<Record<string, string>>
}

export type LineInCopy =
  | (LineAndEnvironment & {
      readonly kind: 'line'
      /** What was changed. */
      readonly notes: readonly string[]
    })
  /** It would look at the work folder although a copy is to be checked. The reason goes on a sentence. */
  | { readonly kind: 'elsewhere'; readonly reason: string }

/**
 * A check's line, made to look at the tree that is to be checked. Where that is a copy, a line that names the work folder
 * by its absolute path would look past it: in the line and its variables the copy takes that place. A script that it
 * leads to is not changed: one that names the work folder makes the check impossible.
 */
export async function lineInCopy(
  asked: LineAndEnvironment,
  { workFolder, projectFolder }: Pick<VerifierContext, 'workFolder' | 'projectFolder'>,
): Promise<LineInCopy> {
  const unchanged = { kind: 'line', ...asked, notes: [] } as const
  if (workFolder === null || projectFolder === undefined || projectFolder === null) return unchanged
  if (await isSameFolder(workFolder, projectFolder)) return unchanged
  const spellings = await findSpellings(projectFolder, workFolder, process.env['HOME'])
  const line = withFolder(asked.line, spellings)
  for (const script of scriptsBehind(line, workFolder)) {
    if (withFolder(script.text, spellings) === script.text) continue
    return {
      kind: 'elsewhere',
      reason: `${script.where} names the work folder by its absolute path, so that it looks past the copy of the tree that is to be checked; name it relative to the project`,
    }
  }
  const changed = Object.entries(asked.environment).map(
    ([name, value]) => [name, withFolder(value, spellings)] as const,
  )
  const names = changed.flatMap(([name, value]) => (value === asked.environment[name] ? [] : [name]))
  const places = [...(line === asked.line ? [] : ['the line']), ...names]
  const notes =
    places.length === 0
      ? []
      : [
          `${places.join(', ')} named the work folder ${projectFolder}: the copy that is checked stands for it`,
        ]
  return { kind: 'line', line, environment: Object.fromEntries(changed), notes }
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  if (one === other) return true
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => path)))
  return first === second
}
