import { hookPipeline, type ToolHook } from '@donecheck/engine/internal/policy/callbacks'
import { microsecondsOf, type BenchOptions } from './gate-figures.ts'
import { median, rounded, type Table } from './table.ts'

const signal = new AbortController().signal

const call = {
  runId: 'run',
  turn: 1,
  signal,
  history: () => [],
  callId: 'call-1',
  tool: 'run_shell',
  effect: 'execute',
  args: { command: 'npm test' },
} as const

/** What hooks cost at a call: their copies of the input, their time limits, the trace. */
export async function gateHooksTable({ full }: BenchOptions): Promise<Table> {
  const pipelines = {
    'no hook at all': [],
    'hooks of other tools only': empty(1).map((one) => ({ ...one, match: 'read_file' })),
    'one empty hook': empty(1),
    'ten empty hooks': empty(10),
  }
  const subjects = Object.fromEntries(Object.entries(pipelines).map(([name, tools]) => [name, firing(tools)]))
  const measured = await microsecondsOf(subjects, [call], full ? 20_000 : 2_000)
  return {
    title: 'hooks: before_tool_call, once',
    rows: Object.entries(measured).map(([name, times]) => ({
      name,
      'median µs': rounded(median(times), 2),
    })),
  }
}

function empty(count: number): readonly ToolHook[] {
  return Array.from({ length: count }, (_, index) => ({
    point: 'before_tool_call',
    name: `empty-${index}`,
    run: () => undefined,
  }))
}

/** As the loop does it: where nobody is registered nobody is asked. */
function firing(tools: readonly ToolHook[]): (input: typeof call) => unknown {
  const hooks = hookPipeline({ tools })
  return (input) => (hooks.has('before_tool_call') ? hooks.fire('before_tool_call', input) : undefined)
}
