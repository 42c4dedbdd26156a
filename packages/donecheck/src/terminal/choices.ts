import type { ApprovalQuestion } from '@donecheck/engine/ports/gate'
import { visibleLine } from '@donecheck/engine/approvals'

export type ChoiceKey = 'n' | 'y' | 's' | 'r' | 'd' | 'a'

export interface Choice {
  readonly value: ChoiceKey
  readonly label: string
}

/** The keys that agree, and to how much. */
export const agreements: Readonly<
  Partial<Record<ChoiceKey, 'yes' | 'yes-again' | 'yes-always' | 'yes-to-all'>>
> = {
  y: 'yes',
  s: 'yes-again',
  r: 'yes-always',
  a: 'yes-to-all',
}

/**
 * The first one is what Enter alone means: a key pressed too early approves nothing. Only commands can be remembered, and a
 * rule is offered only where the gate proposes one.
 */
export function choicesFor({ action, amendment }: ApprovalQuestion): Choice[] {
  const isCommand = action?.kind === 'command'
  return [
    { value: 'n', label: 'no' },
    { value: 'y', label: 'yes, this once' },
    ...(isCommand ? [{ value: 's' as const, label: 'yes, and this command again in this run' }] : []),
    ...(amendment === undefined
      ? []
      : [
          {
            value: 'r' as const,
            label: `yes, and always what begins with: ${formatPrefix(amendment.prefix)}`,
          },
        ]),
    ...(isCommand ? [{ value: 'd' as const, label: `no, and never ${refusedFor(amendment)}` }] : []),
    { value: 'a', label: 'yes, and everything else in this run' },
  ]
}

/** The rule that is kept is that of the yes, or these very words. */
function refusedFor(amendment: ApprovalQuestion['amendment']): string {
  return amendment === undefined ? 'this command' : `what begins with: ${formatPrefix(amendment.prefix)}`
}

function formatPrefix(prefix: readonly string[]): string {
  return visibleLine(
    prefix.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
  )
}
