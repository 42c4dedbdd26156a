/** What the gate says of a line, as a program reads it: its decision as it is told of one command. */
import type { ScriptReport } from '@donecheck/engine/gate'

export function scriptJson({ script, decision, commands, ...others }: ScriptReport): object {
  const { kind, reason, label, amendment, shadow, outsideSandbox } = decision
  return {
    ...{ script, decision: kind, reason },
    ...(label !== undefined && { label }),
    ...(amendment !== undefined && { amendment }),
    ...(shadow !== undefined && { shadow }),
    ...(outsideSandbox !== undefined && { outsideSandbox }),
    commands: commands.map(({ kind: own, ...rest }) => ({ ...rest, decision: own })),
    ...others,
  }
}
