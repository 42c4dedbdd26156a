/** The Claude Agent SDK itself, with its own program, over a fake model. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { command } from 'donecheck'
import {
  verifiedQuery,
  type QueryVerification,
  type SdkQuery,
  type VerifiedQueryOptions,
} from '@donecheck/agents/claude-code'
import { prefixRule } from '@donecheck/engine/gate'
import {
  check,
  describeWithSdk,
  environmentFor,
  inPlace,
  mends,
  realSdk,
  redProject,
  shellCall,
  type Place,
  type Script,
} from '../kit/index.ts'

type Message = Readonly<Record<string, unknown>>

async function sdk(): Promise<{ readonly query: SdkQuery<Message> }> {
  const found = realSdk('@anthropic-ai/claude-agent-sdk')
  if ('problem' in found) throw new Error(found.problem)
  return (await import(join(found.folder, 'sdk.mjs'))) as { readonly query: SdkQuery<Message> }
}

interface Hosted {
  readonly place: Place
  readonly messages: readonly Message[]
  readonly verification: QueryVerification
}

/** @param settings of the SDK's own query, beside those that every test needs */
async function startSession(
  script: Script,
  options: Partial<VerifiedQueryOptions>,
  look: (started: Hosted) => void | Promise<void>,
  settings: Readonly<Record<string, unknown>> = {
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
  },
): Promise<void> {
  const { query } = await sdk()
  await inPlace({ files: redProject, script }, async (place) => {
    const env = await environmentFor('claude', place.server.url, place.home)
    const call = {
      prompt: 'Create done.txt.',
      options: { cwd: place.project, env, settingSources: [], ...settings },
    }
    const verified = verifiedQuery(query, call, {
      workFolder: place.project,
      hardVerifiers: [command(check)],
      ...options,
    })
    const messages: Message[] = []
    for await (const message of verified) messages.push(message)
    await look({ place, messages, verification: await verified.verification })
  })
}

describeWithSdk('@anthropic-ai/claude-agent-sdk', 'given a query of the Claude Agent SDK', () => {
  it('when it says that it is done while the check is red, then its stop is blocked with the evidence, and ends verified', async () => {
    const steps = [{ text: 'Done.' }, mends('claude'), { text: 'Done, really.' }]
    await startSession({ steps }, {}, ({ place, verification }) => {
      expect(place.server.turns[1]?.told).toContain(`Check "${check}" failed`)
      expect(verification.transition).toMatchObject({ reason: 'task_complete', outcome: 'verified' })
    })
  })

  it('when it never mends it, then it is allowed to stop as not verified, although the SDK says success', async () => {
    await startSession(
      { steps: [{ text: 'Done.' }] },
      { hardCap: { blockedStops: 2 } },
      ({ messages, verification }) => {
        expect(messages.findLast(({ type }) => type === 'result')).toMatchObject({ subtype: 'success' })
        expect(verification.transition).toMatchObject({
          reason: 'hard_cap',
          cap: 'blocked_stops',
          outcome: 'exhausted',
        })
      },
    )
  })

  it('when it ends at a limit of its own, then the check is asked all the same, and the end is not a success', async () => {
    await startSession(
      { steps: [shellCall('claude', 'ls'), shellCall('claude', 'pwd')] },
      {},
      ({ verification }) => {
        expect(verification.transition?.outcome).not.toBe('verified')
      },
      { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true, maxTurns: 2 },
    )
  })
})

describeWithSdk('@anthropic-ai/claude-agent-sdk', 'given calls for which somebody must be asked', () => {
  it('when a rule forbids one, then it does not run, and the model reads why', async () => {
    const rules = [
      prefixRule({ pattern: ['touch'], decision: 'forbidden', justification: 'nothing is touched here' }),
    ]
    await startSession(
      { steps: [shellCall('claude', 'touch asked.txt'), { text: 'Done.' }] },
      { gate: { rules }, hardCap: { blockedStops: 1 } },
      ({ place }) => {
        expect(place.has('asked.txt')).toBe(false)
        expect(place.server.turns[1]?.told).toContain('nothing is touched here')
      },
    )
  })
})
