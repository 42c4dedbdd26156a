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

interface ModelServer {
  readonly baseUrl: string
  readonly requests: () => readonly unknown[]
}

/** @param last said for every request after the steps */
export function withModelServer<Value>(
  steps: readonly Step[],
  last: Step,
  work: (server: ModelServer) => Promise<Value>,
): Promise<Value> {
  const inOrder = steps.map((step, index) => ({ ...step, match: { sequenceIndex: index } }))
  return withAnswers([...inOrder, { ...last, match: {} }], work)
}

/** @param answers the first that matches a request is its answer: for conversations that go on at the same time */
export async function withAnswers<Value>(
  answers: readonly Fixture[],
  work: (server: ModelServer) => Promise<Value>,
): Promise<Value> {
  const mock = new LLMock({ port: 0 })
  for (const answer of answers) mock.addFixture(answer)
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
