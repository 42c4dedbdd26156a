import { ToolLoopAgent, tool, type ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { acceptAll } from '@donecheck/engine/internal/policy/approvals'
import { verifierOf } from '@donecheck/engine/verify'
import type { HostAct } from '../../protocol/host/index.ts'
import { scriptedModel, type Said } from './fixtures/scripted-model.ts'
import { verifiedAgent, type VerifiedAgentOptions } from './verified-agent.ts'

const shellCall = (command: string): Said => [{ tool: 'shell', args: { command } }]

function commandOf(input: unknown): HostAct {
  const { command } = z.object({ command: z.string() }).parse(input)
  return { kind: 'command', script: command }
}

interface Given {
  readonly options?: Partial<VerifiedAgentOptions>
  readonly needsApproval?: boolean
  readonly toolApproval?: (asked: { toolCall: { toolName: string } }) => 'approved' | 'denied'
}

function givenShell(
  script: readonly [Said, ...Said[]],
  { options = {}, needsApproval, toolApproval }: Given = {},
) {
  const ran: string[] = []
  const { model, asked } = scriptedModel(...script)
  const shell = tool({
    inputSchema: z.object({ command: z.string() }),
    ...approvalOf(needsApproval),
    execute: ({ command }) => {
      ran.push(command)
      return `ran ${command}`
    },
  })
  const agent = verifiedAgent(
    (guard) =>
      new ToolLoopAgent(
        guard({ model, tools: { shell }, ...(toolApproval === undefined ? {} : { toolApproval }) }),
      ),
    {
      acts: { shell: commandOf },
      hardVerifiers: [verifierOf('ran', () => ran.length > 0, { reads: 'answer' })],
      ...options,
    },
  )
  return { agent, ran, asked }
}

/** As tools of many programs still say it themselves. */
function approvalOf(needsApproval: boolean | undefined): object {
  return needsApproval === undefined ? {} : { needsApproval }
}

describe('given a call that must not run', () => {
  it('is denied, and the model reads why', async () => {
    const { agent, ran, asked } = givenShell([shellCall('rm -rf /'), shellCall('ls'), 'Done.'])
    const { verification } = await agent.generate({ prompt: 'clean up' })
    expect(ran).toEqual(['ls'])
    expect(asked[1]).toContain('execution-denied')
    expect(asked[1]).toMatch(/rm/)
    expect(verification.isVerified).toBe(true)
  })

  it('is denied whatever the agent’s own settings say', async () => {
    const { agent, ran } = givenShell([shellCall('rm -rf /'), 'Done.'], { toolApproval: () => 'approved' })
    await agent.generate({ prompt: 'clean up' })
    expect(ran).toEqual([])
  })
})

describe('given a tool that needs an approval', () => {
  it('asks our approver, where there is one', async () => {
    const { agent, ran } = givenShell([shellCall('ls'), 'Done.'], {
      needsApproval: true,
      options: { approver: acceptAll('the test') },
    })
    const { verification } = await agent.generate({ prompt: 'look' })
    expect(ran).toEqual(['ls'])
    expect(verification.isVerified).toBe(true)
  })

  it('waits for the person of the SDK, and goes on with the same run', async () => {
    const { agent, ran, asked } = givenShell([shellCall('ls'), 'Done.'], { needsApproval: true })
    const first = await agent.generate({ prompt: 'look' })
    expect(first.verification).toMatchObject({
      transition: undefined,
      isVerified: false,
      waitingFor: ['shell'],
    })
    const request = first.content.find((part) => part.type === 'tool-approval-request')
    const messages: ModelMessage[] = [
      { role: 'user', content: 'look' },
      ...first.responseMessages,
      {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId: request?.approvalId ?? '', approved: true }],
      },
    ]
    const second = await agent.generate({ messages })
    expect(ran).toEqual(['ls'])
    expect(asked).toHaveLength(2)
    expect(second.verification).toMatchObject({ runId: first.verification.runId, isVerified: true })
    expect(second.verification.result?.usage.toolCalls).toBe(1)
  })
})
