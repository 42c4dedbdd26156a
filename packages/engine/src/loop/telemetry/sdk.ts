/** The SDK for programs without their own, configured by `OTEL_*` variables alone. */
import { diag, DiagLogLevel, logs, metrics, trace } from '@opentelemetry/api'
import { runIds, telemetryObserver, type Environment, type RunIds } from './observer.ts'
import { messageOf } from '../../base/index.ts'
import { observedStore } from '../../system/store/index.ts'
import type { Store } from '../../ports/store.ts'
import type { RunEvent } from '@donecheck/core/internal/events'

export interface Telemetry {
  observed(store: Store): Store
  observe(event: RunEvent): void
  flush(): Promise<void>
}

let started: Promise<RunIds> | undefined

/** Undefined if telemetry is off or unavailable. @param notice receives one line about a problem */
export async function startTelemetry(
  environment: Environment,
  notice: (message: string) => void,
): Promise<Telemetry | undefined> {
  if (!isTelemetryOn(environment)) return undefined
  try {
    started ??= startSdk(environment, notice)
    const observer = telemetryObserver({ environment, ids: await started })
    return {
      observed: (store) => observedStore(store, observer),
      observe: (event) => observer.observe(event),
      async flush() {
        observer.close()
        await flushAll()
      },
    }
  } catch (error) {
    started = undefined
    notice(
      `telemetry is off, although OTEL_… variables ask for it: @opentelemetry/sdk-node cannot be loaded; install it beside donecheck, or set OTEL_SDK_DISABLED=true (${firstLine(error)})`,
    )
    return undefined
  }
}

async function startSdk(environment: Environment, notice: (message: string) => void): Promise<RunIds> {
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const ids = runIds()
  withVariables(sdkDefaults(environment), () => new NodeSDK({ idGenerator: ids }).start())
  tellFailures(notice)
  return ids
}

/** The SDK reads the process variables once at its start; ours must not stay there. */
function withVariables(variables: Environment, work: () => void): void {
  Object.assign(process.env, variables)
  try {
    work()
  } finally {
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name)
  }
}

function tellFailures(notice: (message: string) => void): void {
  let isTold = false
  const tell = (message: string) => {
    if (!isTold) notice(`telemetry was not delivered: ${firstLine(message)}; the run is not affected`)
    isTold = true
  }
  const ignore = () => undefined
  diag.setLogger(
    { error: tell, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
}

async function flushAll(): Promise<void> {
  const registered: readonly unknown[] = [
    trace.getTracerProvider(),
    metrics.getMeterProvider(),
    logs.getLoggerProvider(),
  ]
  const sent = registered.map(async (provider) => {
    const real = has('getDelegate', provider) ? provider.getDelegate() : provider
    if (has('forceFlush', real)) await real.forceFlush()
  })
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), maxFlushMs)
  await Promise.race([Promise.allSettled(sent), late])
  clearTimeout(timer)
}

function has<Name extends string>(
  name: Name,
  value: unknown,
): value is Readonly<Record<Name, () => unknown>> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n', 1)[0] ?? ''
}

const signalNames = ['TRACES', 'METRICS', 'LOGS'] as const

export function isTelemetryOn(environment: Environment): boolean {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false
  return signalNames.some((name) => isSignalOn(name, environment))
}

function isSignalOn(name: string, environment: Environment): boolean {
  const exporter = environment[`OTEL_${name}_EXPORTER`]?.trim() ?? ''
  if (exporter !== '') return exporter !== 'none'
  return ['', `${name}_`].some((part) => (environment[`OTEL_EXPORTER_OTLP_${part}ENDPOINT`] ?? '') !== '')
}

/** Longest wait for a collector at the end of a run, in milliseconds. */
const maxFlushMs = 3000

/** Our defaults. Excludes the process resource: its command line contains the task and held-out checks. */
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
