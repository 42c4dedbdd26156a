/** What the environment says of telemetry, as OpenTelemetry names it. */

export type Environment = Readonly<Record<string, string | undefined>>

const signalNames = ['TRACES', 'METRICS', 'LOGS'] as const

/** Somebody wants it: an exporter or an endpoint is named, and it is not switched off. */
export function isTelemetryOn(environment: Environment): boolean {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false
  return signalNames.some((name) => isSignalOn(name, environment))
}

function isSignalOn(name: string, environment: Environment): boolean {
  const exporter = environment[`OTEL_${name}_EXPORTER`]?.trim() ?? ''
  if (exporter !== '') return exporter !== 'none'
  return ['', `${name}_`].some((part) => (environment[`OTEL_EXPORTER_OTLP_${part}ENDPOINT`] ?? '') !== '')
}

/** So long the end of a run waits for a collector at most, in milliseconds. */
export const maxFlushMs = 3000

/**
 * Defaults of ours for the SDK, where the user has said nothing. Left out of what it finds by itself is the process: its command line
 * holds the task, and what is held out.
 */
export function sdkDefaults(environment: Environment): Environment {
  const named = /(?:^|,)\s*service\.name\s*=/.test(environment['OTEL_RESOURCE_ATTRIBUTES'] ?? '')
  const silent = signalNames.filter((name) => !isSignalOn(name, environment))
  const defaults = {
    ...(named ? {} : { OTEL_SERVICE_NAME: 'donecheck' }),
    OTEL_NODE_RESOURCE_DETECTORS: 'host,os,serviceinstance,env',
    OTEL_EXPORTER_OTLP_TIMEOUT: String(maxFlushMs),
    ...Object.fromEntries(silent.map((name) => [`OTEL_${name}_EXPORTER`, 'none'])),
  }
  return Object.fromEntries(
    Object.entries(defaults).filter(([variable]) => (environment[variable] ?? '') === ''),
  )
}

const capturing = ['true', 'span_only', 'span_and_event']

/** Texts of users, models and tools are told. */
export function capturesContent(environment: Environment): boolean {
  const wanted = environment['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']
  return wanted !== undefined && capturing.includes(wanted.trim().toLowerCase())
}
