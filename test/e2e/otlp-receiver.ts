/** A collector on loopback that takes what the official exporters send over HTTP and keeps it. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'

interface Taken {
  /** Such as `/v1/traces`. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Receiver {
  readonly url: string
  readonly taken: readonly Taken[]
}

/** @param answers false: it takes everything and never answers */
export async function withReceiver<Value>(
  work: (receiver: Receiver) => Promise<Value>,
  answers = true,
): Promise<Value> {
  const taken: Taken[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      taken.push({ path: request.url ?? '', headers: request.headers, body })
      if (answers) response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    return await work({ url: `http://127.0.0.1:${port}`, taken })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const scalar = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
})
const attributes = z
  .array(z.object({ key: z.string(), value: scalar }))
  .default([])
  .transform((list) =>
    Object.fromEntries(
      list.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
        key,
        stringValue ?? intValue ?? doubleValue ?? boolValue,
      ]),
    ),
  )
const resource = z.object({ attributes })
const nanoseconds = z.string().transform((text) => BigInt(text))

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(''),
  name: z.string(),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  status: z.object({ code: z.number().default(0) }),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
})
export type TakenSpan = z.infer<typeof span>

const point = z.object({ attributes, count: z.union([z.number(), z.string()]).optional() })
const points = z.object({ dataPoints: z.array(point) }).transform(({ dataPoints }) => dataPoints)
const metric = z.object({ name: z.string(), sum: points.optional(), histogram: points.optional() })
const logRecord = z.object({
  eventName: z.string(),
  severityText: z.string(),
  traceId: z.string(),
  attributes,
})

const requests = {
  '/v1/traces': z
    .object({
      resourceSpans: z.array(z.object({ resource, scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
    })
    .transform(({ resourceSpans }) =>
      resourceSpans.flatMap(({ resource: of, scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans.map((one) => ({ ...one, resource: of.attributes }))),
      ),
    ),
  '/v1/metrics': z
    .object({
      resourceMetrics: z.array(z.object({ scopeMetrics: z.array(z.object({ metrics: z.array(metric) })) })),
    })
    .transform(({ resourceMetrics }) =>
      resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
    ),
  '/v1/logs': z
    .object({
      resourceLogs: z.array(z.object({ scopeLogs: z.array(z.object({ logRecords: z.array(logRecord) })) })),
    })
    .transform(({ resourceLogs }) =>
      resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
    ),
} as const

/** What came in as JSON, by kind. */
export function readTaken(taken: readonly Taken[]) {
  const bodies = (path: string): readonly unknown[] =>
    taken.filter((one) => one.path === path).map(({ body }): unknown => JSON.parse(body.toString('utf8')))
  return {
    spans: bodies('/v1/traces').flatMap((body) => requests['/v1/traces'].parse(body)),
    metrics: bodies('/v1/metrics').flatMap((body) => requests['/v1/metrics'].parse(body)),
    logs: bodies('/v1/logs').flatMap((body) => requests['/v1/logs'].parse(body)),
  }
}
