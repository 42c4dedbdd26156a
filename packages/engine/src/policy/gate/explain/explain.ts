import type { RuleMatch } from '@donecheck/core/internal/events'
import type { GateDecision } from '../../../ports/gate.ts'

/** Explains a decision and every matched rule. @param script the command line, if any */
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

export function explainMatch(match: RuleMatch, script?: string): readonly string[] {
  const { rule, decision, source, justification, span } = match
  return [
    `${decision}  ${rule}  (${source})`,
    ...(justification === undefined ? [] : [`  because ${justification}`]),
    ...(script === undefined || span === null ? [] : underlineSpan(script, span).map((line) => `  ${line}`)),
  ]
}

/** The line of the script with carets below the span. */
export function underlineSpan(script: string, [from, to]: readonly [number, number]): readonly string[] {
  const start = script.lastIndexOf('\n', from - 1) + 1
  const next = script.indexOf('\n', from)
  const end = next === -1 ? script.length : next
  const line = script.slice(start, end).replaceAll('\t', ' ')
  const carets = Math.max(1, Math.min(to, end) - from)
  return [line, `${' '.repeat(from - start)}${'^'.repeat(carets)}`]
}
