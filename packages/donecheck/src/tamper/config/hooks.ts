/** Hooks of git and their managers: what ran before a commit or a push and no longer does. */
import type { ConfigFinding } from './config-finding.ts'

export function compareHook(before: string | null, after: string | null): readonly ConfigFinding[] {
  if (before === null) return [{ rule: 'git.hooks-changed', message: 'a hook is new', atMost: 'note' }]
  if (after === null) return [{ rule: 'git.hooks-changed', message: 'a hook is gone' }]
  const then = rowsOf(before)
  const now = new Set(rowsOf(after))
  const gone = then.filter((row) => !now.has(row) && !isVersion(row))
  const masked =
    /\|\|\s*(?:true|:|exit\s+0)|\bexit\s+0\b|\b(?:HUSKY|LEFTHOOK)=0\b|\bskip\s*:|\bhooksPath\b|\bstages\s*:\s*\[?\s*manual/u
  const added = [...now].find((row) => masked.test(row) && !then.includes(row))
  if (added !== undefined) return [{ rule: 'git.hooks-changed', message: `\`${added.slice(0, 80)}\`` }]
  if (gone.length === 0) return []
  return [{ rule: 'git.hooks-changed', message: `\`${(gone[0] ?? '').slice(0, 80)}\` is gone from it` }]
}

function rowsOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/u)
    .map((row) =>
      row
        .replace(/(?:^|\s)#(?!!).*$/u, '')
        .replaceAll(/["',]/gu, '')
        .replaceAll(/\s+/gu, ' ')
        .trim(),
    )
    .filter((row) => row !== '' && !/^[\]{}[]+$/u.test(row))
}

function isVersion(row: string): boolean {
  return /^(?:rev|ref|version|min_version)\s*:/u.test(row)
}
