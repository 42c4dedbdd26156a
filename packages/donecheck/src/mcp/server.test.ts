import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgentSession, type AgentSessionOptions } from '@donecheck/agents/internal/session'
import { command, verifierOf } from '@donecheck/engine/verify'
import { openSessionRegistry } from './session-registry.ts'
import { verificationServer } from './server.ts'

const content = z.array(z.object({ text: z.string() })).min(1)
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function asked(line: string, options: Partial<AgentSessionOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-mcp-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const hardVerifiers = [command(line, { name: 'tests' })]
  const agentSession = await createAgentSession({
    agent: 'mcp',
    workFolder: folder,
    hardVerifiers,
    guard: false,
    ...options,
  })
  const server = verificationServer(await openSessionRegistry(agentSession, 'Write done.txt.'))
  const client = new Client({ name: 'a test', version: '1' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(there), client.connect(here)])
  closing.push(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args })
    return {
      text: content.parse(result.content)[0]?.text ?? '',
      structured: result.structuredContent,
      result,
    }
  }
  return { folder, agentSession, client, call }
}

const done = 'test -f done.txt'

describe('given a client that looks around', () => {
  it('then it finds the four tools, each with its hints', async () => {
    const { client } = await asked(done)
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['get_goal', true],
      ['explain_failure', true],
      ['check_done', false],
      ['report_blocked', false],
    ])
  })

  it('then it is told the goal, the checks and what they said of the baseline tree', async () => {
    const { call } = await asked(done)
    expect((await call('get_goal')).structured).toMatchObject({
      task: 'Write done.txt.',
      checks: [{ name: 'tests', status: 'failed', required: true }],
      end: null,
    })
  })
})

describe('given a client that says it is done', () => {
  it('when the check is red, then it is told the evidence, and nothing has ended', async () => {
    const { call, agentSession } = await asked(`echo "no done.txt here"; ${done}`)
    const answer = await call('check_done', { summary: 'All done!' })
    expect(answer.text).toContain('no done.txt here')
    expect(answer.structured).toMatchObject({
      kind: 'not-verified',
      text: answer.text,
      goal: { blocked: 1, end: null },
    })
    expect(agentSession.end).toBeUndefined()
  })

  it('when the check is green, then it is verified', async () => {
    const { call, folder } = await asked(done)
    await call('check_done')
    await writeFile(join(folder, 'done.txt'), '')
    const answer = await call('check_done')
    expect(answer.text).toContain('Verified')
    expect(answer.structured).toMatchObject({ kind: 'verified', goal: { end: { outcome: 'verified' } } })
  })

  it('when the check cannot be run, then that is no pass', async () => {
    const { call } = await asked('no-such-program-here')
    const answer = await call('check_done')
    expect(answer.structured).toMatchObject({ kind: 'not-verified', goal: { checks: [{ status: 'error' }] } })
  })

  it('when it says so for ever, then it is allowed to stop as not verified', async () => {
    const { call } = await asked(done, { hardCap: { blockedStops: 2 } })
    const kinds: unknown[] = []
    for (let count = 0; count < 3; count += 1) kinds.push((await call('check_done')).structured)
    expect(kinds).toMatchObject([
      { kind: 'not-verified' },
      { kind: 'not-verified' },
      { kind: 'ended', goal: { end: { outcome: 'exhausted', reason: 'hard_cap' } } },
    ])
  })

  it('when it goes on to say so after that, whatever the tree is by then, it stays allowed to stop, and nothing runs', async () => {
    const { call, folder, agentSession } = await asked(done, { hardCap: { blockedStops: 1 } })
    for (let count = 0; count < 2; count += 1) await call('check_done')
    const { sequence, runId } = agentSession.state ?? {}
    for (const file of ['done.txt', 'other.txt']) {
      await writeFile(join(folder, file), '')
      const { text, structured } = await call('check_done')
      expect(text).toContain('This session has ended')
      expect(structured).toMatchObject({ kind: 'ended', goal: { end: { outcome: 'exhausted' } } })
    }
    expect((await call('report_blocked', { reason: 'x' })).structured).toMatchObject({ kind: 'ended' })
    expect(agentSession.state).toMatchObject({ sequence, runId })
  })

  it('when two say so at once, then the checks are run once for both', async () => {
    const { call, agentSession } = await asked(done)
    await Promise.all([call('check_done'), call('check_done')])
    expect(agentSession.state?.turn).toBe(2)
  })
})

describe('given a client that asks again after it was verified', () => {
  async function verified() {
    const place = await asked(done)
    await place.call('check_done')
    await writeFile(join(place.folder, 'done.txt'), '')
    expect((await place.call('check_done')).structured).toMatchObject({ kind: 'verified' })
    return { ...place, runId: place.agentSession.state?.runId }
  }

  it('when nothing has changed, then the checks are asked anew, and it is verified as before', async () => {
    const { call, agentSession, runId } = await verified()
    for (const tool of ['check_done', 'check_done', 'report_blocked']) {
      const { structured } = await call(tool, tool === 'report_blocked' ? { reason: 'x' } : {})
      expect(structured).toMatchObject({ kind: 'verified', goal: { end: { outcome: 'verified' } } })
    }
    expect(agentSession.state?.runId).not.toBe(runId)
  })

  it('when what no tree shows has gone red, then it is not verified any more', async () => {
    const outside = { isThere: false }
    const database = verifierOf('database', () => outside.isThere)
    const { call } = await asked(done, { hardVerifiers: [database] })
    expect((await call('check_done')).structured).toMatchObject({ kind: 'not-verified' })
    outside.isThere = true
    expect((await call('check_done')).structured).toMatchObject({ kind: 'verified' })
    outside.isThere = false
    expect((await call('check_done')).structured).toMatchObject({ kind: 'not-verified' })
  })

  it('when the tree is another one, then the checks are asked of that', async () => {
    const { call, folder, agentSession, runId } = await verified()
    await rm(join(folder, 'done.txt'))
    expect((await call('check_done')).structured).toMatchObject({ kind: 'not-verified', goal: { end: null } })
    await writeFile(join(folder, 'done.txt'), 'again')
    expect((await call('check_done')).structured).toMatchObject({ kind: 'verified' })
    expect(agentSession.state?.runId).not.toBe(runId)
  })
})

describe('given a client that asks why', () => {
  it('then it is told of one check, of all, and of a name that there is not', async () => {
    const { call } = await asked(`echo "the end is missing"; ${done}`)
    await call('check_done')
    expect((await call('explain_failure', { check: 'tests' })).text).toContain('the end is missing')
    expect((await call('explain_failure')).text).toContain('the end is missing')
    expect((await call('explain_failure', { check: 'other' })).text).toContain('The checks are: tests')
  })
})

describe('given a client that reports a block', () => {
  const report = { reason: 'there is no key', evidence: '$ deploy\n401' }

  it('when the checks run and fail, then it is told that this is work', async () => {
    const { call } = await asked(done)
    const { text, structured } = await call('report_blocked', report)
    expect(text).toContain('this is work, not a block')
    expect(structured).toMatchObject({ kind: 'not-verified' })
  })

  it('when the checks cannot run either, then it is recorded for a person, with its words', async () => {
    const { call, agentSession } = await asked('no-such-program-here')
    expect((await call('report_blocked', report)).text).toContain('A person has to look')
    expect(agentSession.state?.lastText).toContain('there is no key')
  })

  it('when all is green, then nothing stands in the way', async () => {
    const { call, folder } = await asked(done)
    await writeFile(join(folder, 'done.txt'), '')
    expect((await call('report_blocked', report)).text).toContain('Nothing stands in the way')
  })
})
