import { sourceText } from '../decide/rule-matches.ts'
import type { PathRule } from '../rules/rule.ts'
import type { LintFinding, LintKind } from './lint-finding.ts'
import { gateSeverity } from '../../gate-kinds.ts'

/** Rules about the same globs, in whatever order these stand; of globs that only overlap nothing is said. */
export function lintPathRules(rules: readonly PathRule[]): readonly LintFinding[] {
  return rules.flatMap((rule, index) => {
    const others = rules.filter((other) => other !== rule && globsOf(other) === globsOf(rule))
    const finding = (kind: LintKind, message: string): readonly LintFinding[] => [
      { kind, rule: `path_rule ${rule.paths.join(' ')}`, source: rule.source, message },
    ]
    const same = others.find((other) => rules.indexOf(other) < index && isRepeated(rule, other))
    if (same !== undefined) return finding('duplicate', `it stands in ${sourceText(same.source)} already`)
    const shadow = others.find((other) => gateSeverity[other.decision] > gateSeverity[rule.decision])
    if (shadow === undefined) return []
    const message = `the rule of the same files (${shadow.decision}, ${sourceText(shadow.source)}) decides wherever this one matches`
    return finding('shadowed', message)
  })
}

function isRepeated(rule: PathRule, other: PathRule): boolean {
  return rule.decision === other.decision && rule.justification === other.justification
}

function globsOf({ paths }: PathRule): string {
  return JSON.stringify([...new Set(paths)].toSorted())
}
