/** What the gate says of a line, as a program reads it: decisions in the words of rules, as they are told of one command. */
import type { GateKind, RuleMatch } from '../../events/index.ts'
import type { RuleDecision, ScriptReport } from '../../gate/index.ts'

const decisions: Readonly<Record<GateKind, RuleDecision>> = {
  allow: 'allow',
  prompt: 'prompt',
  forbid: 'forbidden',
}

export function scriptJson({ script, decision, commands, matches, ...others }: ScriptReport): object {
  const { kind, reason, label, amendment, shadow, outsideSandbox } = decision
  return {
    ...{ script, decision: decisions[kind], reason },
    ...(label !== undefined && { label }),
    ...(amendment !== undefined && { amendment }),
    ...(shadow !== undefined && { shadow: decisions[shadow] }),
    ...(outsideSandbox !== undefined && { outsideSandbox }),
    commands: commands.map(({ kind: own, matches: found, ...rest }) => ({
      ...rest,
      decision: decisions[own],
      matches: found.map(matchJson),
    })),
    matches: matches.map(matchJson),
    ...others,
  }
}

function matchJson(match: RuleMatch): object {
  return { ...match, decision: decisions[match.decision] }
}
