/** Only the Restate with the known key may call a fleet's handlers. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { service } from '@restatedev/restate-sdk'
import { afterAll, afterEach, expect, it } from 'vitest'
import { describeWithRestate } from '../../../../test/fleet/kit/restate.ts'
import { restateAdmin } from './client.ts'
import { serveEndpoint, type ServedEndpoint } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'donecheck-signed-'))
const own = generateKeyPairSync('ed25519')
const signingKeyFile = join(folder, 'key.pem')
writeFileSync(signingKeyFile, own.privateKey.export({ format: 'pem', type: 'pkcs8' }))
afterAll(() => rmSync(folder, { recursive: true }))

/** As Restate says it when it starts. */
function nameOf(key: KeyObject): string {
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const bytes = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = `${letters.charAt(Number(rest % 58n))}${text}`
  return `publickeyv1_${'1'.repeat(bytes.findIndex((byte) => byte > 0))}${text}`
}

/** The status for a request without a valid signature. */
async function statusFor(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const session = connect(url)
  const request = session.request({ ':path': `${new URL(url).pathname}/discover`, ...headers })
  const told = Promise.withResolvers<number | undefined>()
  request.once('response', (answer) => told.resolve(answer[':status'])).once('error', told.reject)
  request.end()
  const status = await told.promise
  session.destroy()
  await once(session, 'close')
  return status
}

describeWithRestate(
  'given a Restate that signs what it asks',
  (restate) => {
    const served: ServedEndpoint[] = []
    afterEach(async () => {
      for (const one of served.splice(0)) await one.close()
    })
    const serve = async (path: string, key: KeyObject) => {
      const one = await serveEndpoint([service({ name: path, handlers: { answer: async () => 'mine' } })], {
        ...{ path, identityKeys: [nameOf(key)], listen: { host: '127.0.0.1', port: 0 } },
        admin: restateAdmin(restate().server.adminUrl),
      })
      served.push(one)
      return one
    }

    it('then it is answered by who knows its key, and others are not', async () => {
      const { url } = await serve('known', own.publicKey)
      const answer = await fetch(`${restate().server.ingressUrl}/known/answer`, { method: 'POST' })
      expect(await answer.json()).toBe('mine')
      expect(await statusFor(url, {})).toBe(401)
      const forged = { 'x-restate-signature-scheme': 'v1', 'x-restate-jwt-v1': 'e30.e30.AAAA' }
      expect(await statusFor(url, forged)).toBe(401)
    })
  },
  { signingKeyFile },
)
