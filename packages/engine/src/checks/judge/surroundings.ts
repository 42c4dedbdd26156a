/** What of the work folder a judge is shown. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitDiffText } from '../verify/index.ts'
import type { RuleText } from './context/entries.ts'

export const ruleFileNames: readonly string[] = ['AGENTS.md', 'SOUL.md', 'CLAUDE.md']

/** Files that are not there are left out. To be read before the agent begins, which may write into them. */
export function readProjectRules(
  folder: string,
  names: readonly string[] = ruleFileNames,
): readonly RuleText[] {
  return names.flatMap((name) => {
    try {
      return [{ name, text: readFileSync(join(folder, name), 'utf8') }]
    } catch {
      return []
    }
  })
}

/** Undefined: there is no folder, or nobody can tell. */
export async function changesIn(folder: string | null, signal: AbortSignal): Promise<string | undefined> {
  if (folder === null) return undefined
  try {
    return await gitDiffText(folder, signal)
  } catch {
    return undefined
  }
}
