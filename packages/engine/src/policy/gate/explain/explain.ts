import type { RuleMatch } from '@donecheck/core/internal/events'
import type { GateDecision } from '../../../ports/gate.ts'

/**
 * A decision in lines for people: what was decided and why, and every rule that matched, with the place in the line below it.
 * @param script the command line, where it was one
 */
export function explain(decision: GateDecision, script?: string): readonly string[] {
  const { kind, reason, label, matches = [], shadow, amendment, outsideSandbox } = decision
  return [
    `${kind}${label === undefined ? '' : ` (${label})`}: ${reason}`,
    ...(shadow === undefined || shadow === kind ? [] : [`only watched: it would have been ${shadow}`]),
    ...(outsideSandbox === true ? ['outside of the sandbox'] : []),
    ...matches.flatMap((match) => ['', ...explainMatch(match, script)]),
    ...(amendment === undefined ? [] : ['', `could be kept: allow ${JSON.stringify(amendment.prefix)}`]),
  ]
}

/** Such as `prompt  prefix_rule git push  user rules default.rules:12`, with the line and carets under the words. */
export function explainMatch(match: RuleMatch, script?: string): readonly string[] {
  const { rule, decision, source, justification, span } = match
  return [
    `${decision}  ${rule}  (${source})`,
    ...(justification === undefined ? [] : [`  because ${justification}`]),
    ...(script === undefined || span === null ? [] : underlineSpan(script, span).map((line) => `  ${line}`)),
  ]
}

/** The line of the script in which the place begins, and carets below it. */
export function underlineSpan(script: string, [from, to]: readonly [number, number]): readonly string[] {
  const start = script.lastIndexOf('\n', from - 1) + 1
  const next = script.indexOf('\n', from)
  const end = next === -1 ? script.length : next
  const line = script.slice(start, end).replaceAll('\t', ' ')
  const carets = Math.max(1, Math.min(to, end) - from)
  return [line, `${' '.repeat(from - start)}${'^'.repeat(carets)}`]
}
