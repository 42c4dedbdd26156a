/** What of the work folder a judge is shown. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gitDiffText } from '../verify/index.ts'
import { maxRules, type RuleText } from './context/entries.ts'

export const ruleFileNames: readonly string[] = ['AGENTS.md', 'SOUL.md', 'CLAUDE.md']

/** Files that are not there are left out. To be read before the agent begins, which may write into them. */
export function readProjectRules(
  folder: string,
  names: readonly string[] = ruleFileNames,
): readonly RuleText[] {
  return names.flatMap((name) => {
    try {
      const file = join(folder, name)
      if (!statSync(file).isFile()) return []
      // No more than is shown, and enough to tell that there is more.
      const text = readFileSync(file, 'utf8').trim()
      return [{ name, text: text.slice(0, maxRules + 1) }]
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
