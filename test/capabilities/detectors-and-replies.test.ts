/** What watches a run from beside: hooks in a pipeline with a trace, detectors of loops, judges of replies, and the heartbeat. */
import {
  command,
  createAgentLoop,
  defaultTools,
  gateByApproval,
  scriptedAgent,
  type AgentLoopOptions,
  type RunEvent,
} from 'donecheck'
import { detectorNames, type DetectorName } from '@donecheck/core/internal/events/settings'
import { traceLines } from '@donecheck/engine/display'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Ended } from '../e2e/donecheck.ts'
import { calls, fails, says, withModelServer } from '../e2e/model-server.ts'
import { rulesOf, tell, type Step, type Steps } from '../e2e/soft-tier-run.ts'

describe('given functions around the loop', () => {
  const write = { tool: 'write_file', args: { path: 'greeting.txt', content: 'hello customer-4711\n' } }
  const read = { tool: 'read_file', args: { path: 'greeting.txt' } }
  const publish = { tool: 'run_shell', args: { command: 'npm publish' } }

  /** @param order the names of those that see a command, as they are called */
  const hooksNotingIn = (order: string[]): NonNullable<AgentLoopOptions['hooks']> => ({
    tools: [
      {
        name: 'forbids',
        point: 'before_tool_call',
        priority: 20,
        match: 'run_shell',
        run: ({ args }) => {
          order.push('forbids')
          return JSON.stringify(args).includes('--dry-run')
            ? { decision: 'forbidden', reason: 'people release' }
            : {}
        },
      },
      {
        name: 'rewrites',
        point: 'before_tool_call',
        priority: 10,
        match: 'run_shell',
        run: () => {
          order.push('rewrites')
          return { args: { command: 'npm publish --dry-run' } }
        },
      },
      {
        name: 'masks',
        point: 'tool_result_persist',
        run: ({ output }) => ({ output: output.replace(/customer-\d+/g, 'customer-…') }),
      },
    ],
    verifiers: [
      {
        name: 'wants-changes',
        point: 'before_finalize',
        run: ({ answer }) => (answer.includes('Changed:') ? {} : { veto: 'end with a line "Changed: …"' }),
      },
    ],
  })

  it('then they are called in order, rewrite, refuse, mask and veto, and the trace says what each has done', async () => {
    const order: string[] = []
    await inPlace({}, async ({ folder: workFolder }) => {
      const run = createAgentLoop({
        workFolder,
        agent: scriptedAgent([
          { tools: [publish] },
          { tools: [write, read] },
          'Done.',
          'Done.\nChanged: greeting.txt',
        ]),
        tools: defaultTools({ workFolder }),
        gate: gateByApproval('never'),
        hardVerifiers: [command('grep -q hello greeting.txt')],
        hooks: hooksNotingIn(order),
      }).run('Greet them.')
      const events: RunEvent[] = []
      for await (const event of run) events.push(event)
      const { transition, usage } = await run
      expect(order).toEqual(['rewrites', 'forbids'])
      expect(transition).toMatchObject({ outcome: 'verified', reason: 'task_complete' })
      expect(usage.iterations).toBe(4)
      const refused = events.find(({ type }) => type === 'tool-refused')
      expect(refused).toMatchObject({
        by: 'hook',
        label: 'hook_denied',
        reason: expect.stringContaining('people release') as unknown,
      })
      const returned = events.filter(({ type }) => type === 'tool-returned')
      expect(JSON.stringify(returned)).toContain('customer-…')
      expect(JSON.stringify(returned)).not.toContain('customer-4711')
      const trace = traceLines(events)
        .map(({ text }) => text)
        .join('\n')
      for (const name of ['forbids', 'rewrites', 'masks', 'wants-changes']) expect(trace).toContain(name)
      expect(trace).toContain('people release')
    })
  })
})

describe('given one detector of loops alone', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
  const reads = (path: string) => calls('read_file', { path })
  const polls = calls('run_shell', { command: 'sleep 0; echo building' })
  const kinds: readonly (readonly [DetectorName, string, Steps])[] = [
    ['generic_repeat', 'one call with one result', letters.map(() => reads('a.txt'))],
    ['ping_pong', 'two calls in turn', letters.map((_, at) => reads(at % 2 === 0 ? 'a.txt' : 'b.txt'))],
    ['known_poll_no_progress', 'a question whose answer stays', letters.map(() => polls)],
    ['global_circuit_breaker', 'nothing that succeeds', letters.map((letter) => reads(`no-${letter}.txt`))],
  ]

  /** With thresholds that are low enough for a short run. */
  function alone(name: DetectorName, steps: Steps, mode = 'on') {
    const thresholds = {
      historySize: 10,
      warningThreshold: 3,
      criticalThreshold: 5,
      globalCircuitBreakerThreshold: 7,
    }
    const detectors = Object.fromEntries(detectorNames.map((other) => [other, other === name ? mode : 'off']))
    const loopDetection = { ...thresholds, vetoesUntilEnd: 1, detectors }
    const config = { loopDetection, stagnation: 'off', finalSummary: false, maxTurns: 12 }
    const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'donecheck.config.json': JSON.stringify(config) }
    return tell({ steps, last: says('I give up.'), files })
  }

  it.each(kinds)('%s: then %s ends the run under that name', async (name, _, steps) => {
    const story = await alone(name, steps)
    expect(story.result).toMatchObject({
      reason: 'loop_detected',
      detector: name,
      outcome: 'exhausted',
      exitCode: 3,
    })
    expect(story.findings.filter(({ rule }) => rule.startsWith('loop:')).at(-1)).toMatchObject({
      level: 'stop',
    })
    expect(new Set(rulesOf(story).filter((rule) => rule.startsWith('loop:')))).toEqual(
      new Set([`loop:${name}`]),
    )
    expect(story.shown).toContain(`loop_detected ${name}`)
  })

  it('then in shadow it is only recorded, and a cap ends the run', async () => {
    const story = await alone(
      'generic_repeat',
      letters.map(() => reads('a.txt')),
      'shadow',
    )
    expect(rulesOf(story)).toContain('shadow:generic_repeat')
    expect(story.refusals).toEqual([])
    expect(story.result).toMatchObject({ reason: 'hard_cap', cap: 'iterations' })
  })
})

describe('given a reply that a judge looks at before it is delivered', () => {
  const passes = says('It says all of it.\n\nPASS')
  const falls = says('The second half is not there.\n\nFAIL [incomplete]: the second half is missing')
  const trusted = ['--trust-check', 'judge']

  /** One server drives, another one judges. */
  const answer = (
    agent: readonly Step[],
    judge: readonly Step[],
    words: readonly string[] = [],
  ): Promise<Ended> =>
    inPlace({}, (place) =>
      withModelServer(agent, says('All of it is done.'), ({ baseUrl }) =>
        withModelServer(judge, passes, async ({ baseUrl: judgeUrl }) => {
          const config = { judge: { models: ['fake-judge'], baseUrl: judgeUrl, timeoutSeconds: 20 } }
          await place.write('donecheck.config.json', JSON.stringify(config))
          const model = ['--base-url', baseUrl, '--model', 'fake-model', '--json']
          return place.run(['run', 'DONECHECK_VERIFY_REPLIES=true', ...model, ...words, 'Say all of it.'])
        }),
      ),
    )

  it('when it falls short, then it is sent back, and the second one is the result', async () => {
    expect(lastJson(await answer([says('One half is done.')], [falls], trusted))).toMatchObject({
      outcome: 'verified',
      exitCode: 0,
      reply: { ending: 'passed', attempt: 2, text: 'All of it is done.' },
    })
  })

  it('when nobody has measured the judge, then it only advises', async () => {
    expect(lastJson(await answer([], []))).toMatchObject({
      outcome: 'unverified',
      exitCode: 4,
      reply: { ending: 'passed' },
    })
  })

  it('when the judge cannot be asked, then the reply is delivered, unverified', async () => {
    const broken = Array.from({ length: 9 }, () => fails(400, 'no such model'))
    expect(lastJson(await answer([], broken, trusted))).toMatchObject({
      outcome: 'unverified',
      exitCode: 4,
      reply: { ending: 'undecided', text: 'All of it is done.' },
    })
  })

  it('when there is no judge, then nothing is begun', async () => {
    const words = ['run', 'DONECHECK_VERIFY_REPLIES=true', '--agent', 'true', 'Say all of it.']
    const refused = await inPlace({}, (place) => place.run(words))
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('--judge')
  })
})

describe('given a heartbeat', () => {
  const files = { 'HEARTBEAT.md': '# Heartbeat\n- errors in app.log\n', 'app.log': 'all quiet\n' }
  const looks = calls('read_file', { path: 'app.log' })

  const beat = (steps: Steps, last: Step, given: Readonly<Record<string, string>> = files) =>
    inPlace(given, (place) =>
      withModelServer(steps, last, async ({ baseUrl, requests }) => {
        const model = ['--base-url', baseUrl, '--model', 'fake-model', '--yes']
        return { ended: await place.run(['heartbeat', ...model]), requests: requests().length }
      }),
    )

  it('when the model has looked, then it is quiet, and exits with 0', async () => {
    const { ended } = await beat([looks], says('HEARTBEAT_OK'))
    expect(ended).toMatchObject({ exitCode: 0, stdout: '' })
    expect(ended.stderr).toContain('all clear: 1 of 1 due items were looked at')
  })

  it('when the model has not looked, then it is told so, and its word is not believed', async () => {
    const { ended, requests } = await beat([], says('HEARTBEAT_OK'))
    expect(ended).toMatchObject({ exitCode: 3, stdout: '' })
    expect(requests).toBeGreaterThan(1)
  })

  it('when something is said beside the token, then it is printed', async () => {
    const { ended } = await beat([looks], says('The log is full! HEARTBEAT_OK'))
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'The log is full!\n' })
  })

  it('when its list is empty, then nobody is asked; when there is none, then that is said', async () => {
    const empty = await beat([], says('HEARTBEAT_OK'), { 'HEARTBEAT.md': '# Heartbeat\n' })
    expect(empty).toMatchObject({ ended: { exitCode: 0, stdout: '' }, requests: 0 })
    const missing = await beat([], says('HEARTBEAT_OK'), {})
    expect(missing).toMatchObject({ ended: { exitCode: 2 }, requests: 0 })
    expect(missing.ended.stderr).toContain('--file')
  })
})
