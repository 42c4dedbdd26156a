/** `donecheck serve` in a process of its own, and how it is asked. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Place, Started } from './donecheck.ts'

export const token = 'a-token-of-a-test-that-is-long-enough'
/** Lies in the home of a place as `tokens.json`. */
export const users = JSON.stringify({ users: [{ name: 'ada', token, roles: ['read', 'run', 'approve'] }] })

const announced = z.object({ url: z.string(), token: z.string().nullable() })

export interface Service {
  readonly started: Started
  readonly url: string
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>
}

/** @param environment of its runs too */
export async function serve(
  place: Place,
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const tokenFile = join(place.home, 'tokens.json')
  chmodSync(tokenFile, 0o600)
  const started = place.start(['serve', '--listen', '127.0.0.1:0', '--token-file', tokenFile, '--json'], {
    environment,
  })
  const line = Promise.withResolvers<string>()
  started.child.stdout?.once('data', (piece: string) => {
    line.resolve(piece)
  })
  void started.ended.then(({ stderr }) => {
    line.reject(new Error(stderr))
  })
  const { url } = announced.parse(JSON.parse(await line.promise))
  return {
    started,
    url,
    ask: (method, path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}
