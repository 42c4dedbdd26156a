import { describe, expect, it } from 'vitest'
import { capturesContent } from './observer.ts'
import { isTelemetryOn, sdkDefaults } from './sdk.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

describe('given the environment of the command', () => {
  it.each([
    [{}, false],
    [endpoint, true],
    [{ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://collector:4318/v1/logs' }, true],
    [{ OTEL_TRACES_EXPORTER: 'console' }, true],
    [{ OTEL_TRACES_EXPORTER: 'none' }, false],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, true],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, false],
    [{ OTEL_SERVICE_NAME: 'ours', OTEL_RESOURCE_ATTRIBUTES: 'a=b' }, false],
  ])('%j asks for telemetry: %s', (environment, isOn) => {
    expect(isTelemetryOn(environment)).toBe(isOn)
  })

  it('what nobody asked for is not sent anywhere', () => {
    expect(sdkDefaults({ OTEL_TRACES_EXPORTER: 'console' })).toMatchObject({
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
    })
    expect(Object.keys(sdkDefaults(endpoint)).filter((name) => name.endsWith('_EXPORTER'))).toEqual([])
  })

  it('the service is named by the user, in either way, or is donecheck', () => {
    expect(sdkDefaults(endpoint)).toMatchObject({ OTEL_SERVICE_NAME: 'donecheck' })
    for (const environment of [
      { OTEL_SERVICE_NAME: 'ours' },
      { OTEL_RESOURCE_ATTRIBUTES: 'a=b, service.name=ours' },
    ])
      expect(sdkDefaults(environment)).not.toHaveProperty('OTEL_SERVICE_NAME')
  })

  it('the command line of the process, which holds the task, is looked at only where that is asked for', () => {
    expect(sdkDefaults({})['OTEL_NODE_RESOURCE_DETECTORS']).not.toContain('process')
    expect(sdkDefaults({ OTEL_NODE_RESOURCE_DETECTORS: 'all' })).not.toHaveProperty(
      'OTEL_NODE_RESOURCE_DETECTORS',
    )
  })

  it.each([
    [undefined, false],
    ['', false],
    ['NO_CONTENT', false],
    ['EVENT_ONLY', false],
    ['true', true],
    ['SPAN_ONLY', true],
    ['span_and_event', true],
  ])('texts are told for %s: %s', (value, isAsked) => {
    const environment = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value }
    expect(capturesContent(environment)).toBe(isAsked)
  })
})
