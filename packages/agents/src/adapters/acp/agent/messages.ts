/** Lines of JSON as the messages of the protocol, and back. What is no message never reaches the library. */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { JsonLine, JsonLinesProcess } from '../../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import { isRecord } from '../calls/tool-call.ts'
import { given } from '@donecheck/engine/base'

export interface Messages {
  readonly stream: Stream
  /** The beginning of the first line that was no message; undefined: there was none. */
  readonly noise: () => string | undefined
}

/** @param room resolves when more may be read: an agent that tells more than is taken in is held back */
export function streamMessages(program: JsonLinesProcess, room: () => Promise<void>): Messages {
  const asked = new Set<number | string>()
  let noise: string | undefined
  const lines = readLines(program)
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        for (;;) {
          await room()
          const next = await lines.next()
          if (next.done === true) {
            controller.close()
            return
          }
          const line = next.value
          const message = line.kind === 'value' ? messageOf(line.value, asked) : undefined
          if (message !== undefined) {
            controller.enqueue(message)
            return
          }
          noise ??= line.kind === 'noise' ? line.text : JSON.stringify(line.value).slice(0, maxNoiseLength)
        }
      },
    },
    { highWaterMark: 0 },
  )
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if ('method' in message && 'id' in message && message.id !== null) asked.add(message.id)
      // It is JSON: it comes from the library, which is about to send it.
      const isWritten = await program.write(JSON.parse(JSON.stringify(message)) as JsonValue)
      if (!isWritten) throw new Error('the agent does not listen any more')
    },
  })
  return { stream: { readable, writable }, noise: () => noise }
}

const maxNoiseLength = 200

async function* readLines({ lines }: JsonLinesProcess): AsyncGenerator<JsonLine, undefined> {
  yield* lines
  return undefined
}

/** Requests, notifications, and answers to what was asked. The library would print the rest on our stderr. */
function messageOf(value: JsonValue, asked: Set<number | string>): AnyMessage | undefined {
  if (!isRecord(value)) return undefined
  const { id, method } = value
  if (typeof method === 'string') {
    const isNotice = id === undefined
    if (!isNotice && typeof id !== 'number' && typeof id !== 'string') return undefined
    const params = value['params']
    return { jsonrpc: '2.0', method, ...(isNotice ? {} : { id }), ...given({ params }) }
  }
  if ((typeof id !== 'number' && typeof id !== 'string') || !asked.delete(id)) return undefined
  return answerOf(id, value)
}

function answerOf(
  id: number | string,
  { error, result = null }: Readonly<Record<string, JsonValue>>,
): AnyMessage {
  if (error === undefined || error === null) return { jsonrpc: '2.0', id, result }
  const about = isRecord(error) ? error : {}
  const { code, message, data } = about
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: typeof code === 'number' ? code : 0,
      message: typeof message === 'string' ? message : 'it did not say why',
      ...given({ data }),
    },
  }
}
