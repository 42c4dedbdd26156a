/** What a real process of the command sends by the official exporter arrives at a collector. */
import { describe, expect, it } from 'vitest'
import { inPlace, type Place } from './donecheck.ts'
import { calls, says, withModelServer } from './model-server.ts'
import { readTaken, withReceiver, type TakenSpan } from './otlp-receiver.ts'

const task = 'Write DONE into report.txt, as privately as you can.'
const writesDone = calls('write_file', { path: 'report.txt', content: 'DONE\n' })
const until = ['--until', 'grep -q DONE report.txt']

/** A run in which a model writes the file, asked for over real HTTP. */
async function runIn(
  place: Place,
  environment: Readonly<Record<string, string>>,
  words: readonly string[] = [],
) {
  return withModelServer([writesDone], says('Done.'), ({ baseUrl }) =>
    place.run(['run', ...until, '--base-url', baseUrl, '--model', 'fake-model', '--yes', ...words, task], {
      environment,
    }),
  )
}

function pathOf(span: TakenSpan, spans: readonly TakenSpan[]): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  if (parent === undefined) return span.parentSpanId === '' ? span.name : `(lost) > ${span.name}`
  return `${pathOf(parent, spans)} > ${span.name}`
}

const run = 'invoke_agent donecheck'

describe('given a collector that takes JSON', () => {
  it('then traces, metrics and logs of the run arrive, and no word of the task', async () => {
    const { ended, taken } = await withReceiver(({ url, taken }) =>
      inPlace({}, async (place) => ({
        ended: await runIn(place, {
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=build',
          OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
        }),
        taken,
      })),
    )
    expect(ended.stdout).toContain('→ verified after 1 turn')
    expect(ended.exitCode).toBe(0)
    const { spans, metrics, logs } = readTaken(taken)
    expect(spans.map((span) => pathOf(span, spans)).toSorted()).toEqual(
      [
        run,
        `${run} > check grep -q DONE report.txt`,
        `${run} > check tamper guard`,
        `${run} > turn`,
        `${run} > turn > chat fake-model`,
        `${run} > turn > check grep -q DONE report.txt`,
        `${run} > turn > check tamper guard`,
        `${run} > turn > execute_tool write_file`,
      ].toSorted(),
    )
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(endTimeUnixNano >= startTimeUnixNano).toBe(true)
    const whole = spans.find(({ name }) => name === run)
    expect(whole?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.request.model': 'fake-model',
      'donecheck.reason': 'task_complete',
      'donecheck.outcome': 'verified',
    })
    expect(whole?.resource).toMatchObject({ 'service.name': 'donecheck', 'deployment.environment': 'test' })
    expect(metrics.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'donecheck.runs',
        'donecheck.run.duration',
        'donecheck.check.duration',
        'gen_ai.client.operation.duration',
        'gen_ai.client.token.usage',
      ]),
    )
    const counted = metrics.find(({ name }) => name === 'donecheck.runs')
    expect(counted?.sum?.[0]?.attributes).toMatchObject({ 'donecheck.outcome': 'verified' })
    expect(logs.map(({ eventName, traceId }) => [eventName, traceId])).toContainEqual([
      'donecheck.run_stopped',
      whole?.traceId,
    ])
    for (const { headers } of taken) expect(headers['x-tenant']).toBe('build')
    const all = Buffer.concat(taken.map(({ body }) => body)).toString('utf8')
    expect(all).not.toContain('privately')
  })
})

describe('given a verification without an agent', () => {
  it('then it is a trace as well, in protobuf where nothing else is said, under the name that it was given', async () => {
    const taken = await withReceiver(({ url, taken }) =>
      inPlace({ 'report.txt': 'DONE\n' }, async (place) => {
        const environment = {
          OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
          OTEL_SERVICE_NAME: 'ci-of-ours',
        }
        await place.run(['verify', ...until], { environment })
        return taken
      }),
    )
    expect(taken.map(({ path, headers }) => [path, headers['content-type']])).toEqual([
      ['/v1/traces', 'application/x-protobuf'],
    ])
    const body = taken[0]?.body ?? Buffer.alloc(0)
    for (const word of [run, 'check grep -q DONE report.txt', 'ci-of-ours'])
      expect(body.includes(word)).toBe(true)
  })
})

describe('given telemetry that cannot be delivered', () => {
  it.each([
    ['a collector that never answers', false],
    ['nobody there', undefined],
  ] as const)('with %s the run ends as it would, and one line says so', async (_case, answers) => {
    const ended = await withReceiver(
      ({ url }) =>
        inPlace({}, (place) =>
          runIn(place, {
            OTEL_EXPORTER_OTLP_ENDPOINT: answers === undefined ? 'http://127.0.0.1:9' : url,
            OTEL_EXPORTER_OTLP_TIMEOUT: '500',
          }),
        ),
      false,
    )
    expect(ended.stdout).toContain('→ verified after 1 turn')
    expect(ended.stderr.match(/telemetry was not delivered/g)).toHaveLength(1)
    expect(ended.exitCode).toBe(0)
  })
})

/** An option of Node with which no package of that name can be loaded. */
function without(name: string): string {
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith('${name}')) throw new Error('no package ' + name)
      return next(name, context)
    } })`
  return `--import data:text/javascript,${encodeURIComponent(hook)}`
}

describe('given that the SDK is not installed', () => {
  it('then a run without such variables loads nothing of it', async () => {
    const ended = await inPlace({}, (place) => runIn(place, { NODE_OPTIONS: without('@opentelemetry/') }))
    expect(ended.stderr).not.toContain('telemetry')
    expect(ended.exitCode).toBe(0)
  })

  it('then a run that should be told says what to install, and goes on', async () => {
    const environment = { NODE_OPTIONS: without('@opentelemetry/sdk'), OTEL_TRACES_EXPORTER: 'otlp' }
    const ended = await inPlace({}, (place) => runIn(place, environment))
    expect(ended.stderr).toContain('install it beside donecheck')
    expect(ended.stdout).toContain('→ verified after 1 turn')
    expect(ended.exitCode).toBe(0)
  })
})
