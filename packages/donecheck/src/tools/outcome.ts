import type { ToolOutcome } from '../ports.ts'

export function done(output: string): ToolOutcome {
  return { status: 'ok', output }
}

export function failed(output: string): ToolOutcome {
  return { status: 'error', output }
}
