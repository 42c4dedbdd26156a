/** A listener of a run's events over HTTP, which goes on after the last one that it has heard. */
import { z } from 'zod'

const event = z.looseObject({ type: z.string(), sequence: z.number() })

export type Heard = z.output<typeof event>

/** Adds what it hears. Resolves when the run has ended; rejects when the line breaks. */
export async function listenTo(url: string, token: string, heard: Heard[]): Promise<void> {
  const last = heard.at(-1)?.sequence
  const answer = await fetch(url, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(last === undefined ? {} : { 'last-event-id': String(last) }),
    },
  })
  if (answer.body === null) return
  let rest = ''
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    const messages = `${rest}${piece}`.split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1]
      if (message.includes('event: end')) return
      if (data !== undefined) heard.push(event.parse(JSON.parse(data)))
    }
  }
}
