import type { Telemetry } from '@donecheck/engine/telemetry'
import type { CliIo } from '../process/io.ts'

/** Loads telemetry only if an OTEL variable is set. */
export async function openTelemetry(
  { environment }: CliIo,
  notice: (message: string) => void,
): Promise<Telemetry | undefined> {
  if (!Object.keys(environment).some((name) => name.startsWith('OTEL_'))) return undefined
  const { startTelemetry } = await import('@donecheck/engine/telemetry')
  return startTelemetry(environment, notice)
}
