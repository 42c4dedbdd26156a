import type { ToolEffect } from '@donecheck/core/events'
import type { Gate } from '../../ports/gate.ts'

/** When a person is asked: `never`, before `writes` (whatever may change something), or before `all` calls. */
export type ApprovalMode = 'never' | 'writes' | 'all'

/** Allows or asks, by a tool's effect alone; it forbids nothing. */
export function gateByApproval(mode: ApprovalMode): Gate {
  return {
    check: async ({ tool, effect }) =>
      isAsked(mode, effect)
        ? { kind: 'prompt', reason: `${tool} ${purposes[effect]}, and approval is "${mode}"` }
        : { kind: 'allow', reason: `approval is "${mode}"` },
  }
}

/** What a call with an effect does, for people. */
export const purposes: Readonly<Record<ToolEffect, string>> = {
  read: 'reads',
  write: 'changes files',
  execute: 'runs a command',
}

/** An effect or a mode that nobody knows is asked for (I7). */
function isAsked(mode: ApprovalMode, effect: ToolEffect): boolean {
  return mode !== 'never' && !(mode === 'writes' && effect === 'read')
}
