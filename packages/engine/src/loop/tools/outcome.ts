import type { ToolOutcome } from '../../ports/loop.ts'

export function okOutcome(output: string): ToolOutcome {
  return { status: 'ok', output }
}

export function errorOutcome(output: string): ToolOutcome {
  return { status: 'error', output }
}
