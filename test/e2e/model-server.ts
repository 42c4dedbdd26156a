/** A real HTTP server on loopback that speaks the OpenAI protocol and says what it was told to say, in order. */
import { LLMock, type Fixture } from '@copilotkit/aimock'

type Step = Omit<Fixture, 'match'>

export const says = (content: string): Step => ({ response: { content } })
export const calls = (name: string, args: object | string): Step => ({
  response: { toolCalls: [{ name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }] },
})
export const fails = (status: number, message: string): Step => ({ response: { error: { message }, status } })
/** Ends the connection in the middle of the stream. */
export const breaksOff = (content: string): Step => ({
  response: { content },
  chunkSize: 4,
  truncateAfterChunks: 2,
})

/** @param last said for every request after the steps */
export async function withModelServer<Value>(
  steps: readonly Step[],
  last: Step,
  work: (server: { readonly baseUrl: string; readonly requests: () => readonly unknown[] }) => Promise<Value>,
): Promise<Value> {
  const mock = new LLMock({ port: 0 })
  steps.forEach((step, index) => mock.addFixture({ ...step, match: { sequenceIndex: index } }))
  mock.addFixture({ ...last, match: {} })
  await mock.start()
  try {
    return await work({
      baseUrl: `${mock.url}/v1`,
      requests: () => mock.getRequests().map(({ body }) => body),
    })
  } finally {
    await mock.stop()
  }
}
