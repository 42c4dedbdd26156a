/** Mastra's own agents over its own router of models, from a folder of their own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { acceptAll } from 'donecheck'
import { verifiedExecution } from '@donecheck/agents/mastra'
import { describeWithSdk } from '../kit/index.ts'
import { folder, write, shell, givenProgram } from './mastra-program.ts'

describeWithSdk('@mastra/core', 'given a program of Mastra', () => {
  it('is kept from stopping with the evidence, and ends verified', async () => {
    const { generate, server } = await givenProgram([
      write('no'),
      { text: 'Done.' },
      write('yes'),
      { text: 'Done again.' },
    ])
    const { result, verification } = await generate()
    expect(result).toMatchObject({ finishReason: 'stop' })
    expect(JSON.stringify(server.turns[2]?.body)).toContain('the file says yes')
    expect(readFileSync(join(folder, 'done.txt'), 'utf8')).toBe('yes')
    expect(verification).toMatchObject({
      isVerified: true,
      blockedStops: 1,
      stoppedBy: undefined,
      transition: { reason: 'task_complete', outcome: 'verified' },
      result: { usage: { modelCalls: 4, toolCalls: 2, inputTokens: 4000, outputTokens: 200 } },
    })
  })

  it('streams on when its stop is blocked', async () => {
    const { agent, options } = await givenProgram([
      write('no'),
      { text: 'Done. ' },
      write('yes'),
      { text: 'Done again.' },
    ])
    const watched = await verifiedExecution(agent, 'write yes', options)
    const stream = await agent.stream('write yes', watched.options)
    let text = ''
    for await (const piece of stream.textStream) text += piece
    expect(text).toBe('Done. Done again.')
    expect(await watched.verification(stream)).toMatchObject({ isVerified: true, blockedStops: 1 })
  })

  it('ends capped, not verified, where Mastra says stop', async () => {
    const steps = ['1', '2', '3'].flatMap((content) => [{ text: 'Done.' }, write(content)])
    const { generate } = await givenProgram([...steps, { text: 'Done.' }], {
      options: { hardCap: { blockedStops: 2 } },
    })
    const { result, verification } = await generate()
    expect(result).toMatchObject({ finishReason: 'stop' })
    expect(verification).toMatchObject({
      isVerified: false,
      transition: { reason: 'hard_cap', cap: 'blocked_stops', outcome: 'exhausted' },
    })
  })

  it('keeps the reason of Mastra’s own bound, and says what the checks say', async () => {
    const { generate } = await givenProgram([write('yes')], {
      options: { executionOptions: { maxSteps: 2 } },
    })
    const { verification } = await generate()
    expect(verification).toMatchObject({ isVerified: true, stoppedBy: 'maxSteps (2)' })
  })

  it('refuses what must not run, tells the model why, and goes on', async () => {
    const { generate, server, ran } = await givenProgram([shell('rm -rf /'), write('yes'), { text: 'Done.' }])
    const { verification } = await generate()
    expect(ran).toEqual([])
    expect(server.turns[1]?.told).toContain('rm -rf /')
    expect(verification.isVerified).toBe(true)
  })

  it('leaves hooks, processors and handlers of the user in their places', async () => {
    const heard: string[] = []
    const hear = (what: string) => () => void heard.push(what)
    const { generate } = await givenProgram([write('yes'), { text: 'Done.' }], {
      agent: {
        hooks: { beforeToolCall: hear('hook') },
        outputProcessors: [
          {
            id: 'own',
            name: 'own',
            processOutputStep: (step: { messages: unknown }) => (heard.push('processor'), step.messages),
          },
        ],
      },
      options: { executionOptions: { onIterationComplete: hear('iteration') } },
    })
    expect((await generate()).verification.isVerified).toBe(true)
    expect(heard).toEqual(['processor', 'hook', 'iteration', 'processor', 'iteration'])
  })
})

describeWithSdk('@mastra/core', 'given calls that need somebody’s yes', () => {
  it('asks our approver', async () => {
    const { generate, ran } = await givenProgram([shell('make release'), write('yes'), { text: 'Done.' }], {
      options: { approver: acceptAll('the test'), gate: { approval: 'all' } },
    })
    expect((await generate()).verification.isVerified).toBe(true)
    expect(ran).toEqual(['make release'])
  })

  it('asks our approver also for a tool that Mastra would suspend', async () => {
    const { generate, ran } = await givenProgram([shell('make release'), write('yes'), { text: 'Done.' }], {
      requireApproval: true,
      options: { approver: acceptAll('the test'), gate: { approval: 'all' } },
    })
    expect((await generate()).verification).toMatchObject({ isVerified: true, waitingFor: [] })
    expect(ran).toEqual(['make release'])
  })

  it.each([
    { resumeData: { approved: true }, expected: ['make release'], told: 'make release' },
    { resumeData: { approved: false, reason: 'not today' }, expected: [], told: 'not today' },
  ])(
    'suspends where nobody of ours can be asked, and goes on with $resumeData',
    async ({ resumeData, expected, told }) => {
      const { generate, server, ran } = await givenProgram(
        [shell('make release'), write('yes'), { text: 'Done.' }],
        {
          options: {
            gate: { approval: 'all' },
            acts: { shell: { kind: 'command', script: 'make release' }, write: { kind: 'read' } },
          },
        },
      )
      const { result, verification } = await generate()
      expect(verification).toMatchObject({ waitingFor: ['shell'], transition: undefined, isVerified: false })
      expect(ran).toEqual([])
      const next = await generate({ suspended: result, resumeData })
      expect(ran).toEqual(expected)
      expect(server.turns[1]?.told).toContain(told)
      expect(next.verification).toMatchObject({ isVerified: true, waitingFor: [], runId: verification.runId })
    },
  )
})
