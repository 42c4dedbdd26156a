/** Snapshots, golden files and fixtures: recorded results that may grow, but not change. */
import type { FileChange } from '../change.ts'
import type { ConfigFinding } from './config-finding.ts'

export function compareRecorded({ before, after }: FileChange): readonly ConfigFinding[] {
  if (before === null) return []
  if (after === null) return [{ rule: 'snapshot.changed', message: 'a recorded result is gone' }]
  if (before.text === null || after.text === null)
    return before.digest === after.digest
      ? []
      : [{ rule: 'snapshot.changed', message: 'a recorded result was replaced' }]
  const now = new Map(entriesOf(after.text))
  const changed = entriesOf(before.text).find(([name, text]) => now.get(name) !== text)
  if (changed === undefined || isGrown(before.text, after.text)) return []
  const what = now.has(changed[0]) ? 'was replaced' : 'is gone'
  return [
    {
      rule: 'snapshot.changed',
      message:
        `the recorded result ${changed[0] === '' ? '' : `\`${changed[0].slice(0, 80)}\` `}${what}`.replaceAll(
          '  ',
          ' ',
        ),
    },
  ]
}

/** Entries of Jest and syrupy snapshots; any other file is one entry. */
function entriesOf(text: string): readonly (readonly [string, string])[] {
  const plain = text.replaceAll('\r\n', '\n')
  const jest = [...plain.matchAll(/^exports\[`((?:\\.|[^`\\])*)`\]\s*=\s*`((?:\\.|[^`\\])*)`;?/gmu)]
  if (jest.length > 0) return jest.map((match) => [match[1] ?? '', match[2] ?? ''])
  const syrupy = [...plain.matchAll(/^# name: (.*)\n([\s\S]*?)(?=^# name: |(?![\s\S]))/gmu)]
  if (syrupy.length > 0) return syrupy.map((match) => [match[1] ?? '', (match[2] ?? '').trim()])
  return [['', plain.replaceAll(/[^\S\n]+$/gmu, '').trim()]]
}

/** Every line is still there in its order, commas aside: entries were only added. */
function isGrown(before: string, after: string): boolean {
  if (/^exports\[`|^# name: /mu.test(before)) return false
  const rows = (text: string) =>
    text
      .split(/\r?\n/u)
      .map((row) => row.replaceAll(/\s+/gu, '').replace(/,$/u, ''))
      .filter((row) => row !== '')
  const then = rows(before)
  let next = 0
  for (const row of rows(after)) if (row === then[next]) next += 1
  return next === then.length && then.length > 1
}
