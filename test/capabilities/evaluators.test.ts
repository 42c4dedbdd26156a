/** What decides about the work: deterministic checks, judges, four policies over their verdicts, and when they are asked. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  allRequired,
  command,
  deterministicVeto,
  quorum,
  verifierOf,
  verifyWork,
  weightedScore,
  type AgentLoopOptions,
} from 'donecheck'
import { judgedBy } from '@donecheck/engine/verify'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Place } from '../e2e/donecheck.ts'
import { says, withModelServer } from '../e2e/model-server.ts'

describe('given a deterministic check', () => {
  const files = {
    'report.json': '{"total": 42}',
    'report.schema.json': '{"type":"object","required":["total"]}',
    'notes.md': '- Most ride: "60 of 80 ride every day" [source: survey.md]\n',
    'survey.md': 'We asked: 60 of 80 ride every day.\n',
  }
  const quotes = { kind: 'citations', sources: ['survey.md'], file: 'notes.md' }

  it.each([
    ['command', '--until', 'grep -q 42 report.json', { 'report.json': '{"total": 41}' }],
    [
      'schema',
      '--check',
      { kind: 'schema', schema: 'report.schema.json', file: 'report.json' },
      { 'report.json': '{}' },
    ],
    [
      'json',
      '--check',
      { kind: 'json', query: '$.total', equals: 42, file: 'report.json' },
      { 'report.json': '{"total":1}' },
    ],
    ['files', '--check', { kind: 'files', files: ['report.json'], contain: '42' }, { 'report.json': '{}' }],
    ['citations', '--check', quotes, { 'survey.md': 'We asked nobody.\n' }],
  ])(
    'of the kind %s, then it passes for the work and fails for work that is wrong',
    async (_, flag, check, wrong) => {
      await inPlace(files, async (place) => {
        const words = [
          'verify',
          flag,
          typeof check === 'string' ? check : `${check.kind}:${JSON.stringify(check)}`,
          '--json',
        ]
        expect(lastJson(await place.run(words))).toMatchObject({ outcome: 'verified', exitCode: 0 })
        for (const [file, content] of Object.entries(wrong)) await place.write(file, content)
        expect(lastJson(await place.run(words))).toMatchObject({ outcome: 'failed', exitCode: 1 })
      })
    },
  )

  it('of the answer, then it decides a run by what the agent has said at last', async () => {
    const says = 'cat > /dev/null; if test -e half; then echo "60 of 80"; else echo "Most."; fi; touch half'
    await inPlace({ 'agent.sh': says }, async (place) => {
      const words = ['--check', 'text:60 of 80', '--agent', 'sh agent.sh', '--json']
      const ended = await place.run(['run', ...words, 'How many ride?'])
      expect(lastJson(ended)).toMatchObject({ outcome: 'verified', turns: 2, finalText: '60 of 80' })
    })
  })

  it('that cannot be asked, then it is never a pass', async () => {
    await inPlace(files, async (place) => {
      for (const check of ['schema:report.schema.json', 'citations:none/*.md'])
        expect((await place.run(['verify', '--check', check])).exitCode).not.toBe(0)
      const missing = await place.run(['verify', '--until', 'no-such-program-here', '--json'])
      expect(lastJson(missing)).toMatchObject({ outcome: 'blocked', exitCode: 5 })
    })
  })
})

describe('given a judge that is a model', () => {
  const [pass, fail] = ['PASS', 'FAIL [incomplete]: the second half is missing'].map((word) =>
    says(`I looked.\n\n${word}`),
  )

  /** `verify` with a green command, and judges of which each says one of these, in turn. */
  const verifyWith = (answers: readonly ReturnType<typeof says>[], words: readonly string[], green = true) =>
    inPlace({ 'a.txt': 'a\n' }, (place) =>
      withModelServer(answers, says('It is nice.'), async ({ baseUrl, requests }) => {
        const models = ['one', 'two', 'three'].slice(0, answers.length)
        const config = { judge: { models, baseUrl, timeoutSeconds: 20 } }
        await place.write('../home/rules.json', JSON.stringify(config))
        const until = ['--until', `grep -q ${green ? 'a' : 'b'} a.txt`]
        const ended = await place.run([
          'verify',
          ...until,
          '--config',
          join(place.home, 'rules.json'),
          ...words,
        ])
        return { exitCode: ended.exitCode, requests: requests().length }
      }),
    )
  const trusted = ['--trust-check', 'judge']

  it.each([
    ['advises, so its no ends nothing', [fail], [], 0],
    ['is trusted and says no', [fail], trusted, 1],
    ['is trusted and says yes', [pass], trusted, 0],
    ['is trusted and says neither', [says('It is nice.')], trusted, 5],
    ['is a panel of which two of three say yes', [pass, fail, pass], trusted, 0],
    ['is a panel of which one of three says yes', [fail, fail, pass], trusted, 1],
  ])('that %s, then the exit code says so', async (_, answers, words, exitCode) => {
    expect(
      await verifyWith(
        answers.filter((answer) => answer !== undefined),
        words,
      ),
    ).toMatchObject({ exitCode })
  })

  it('whose word could change nothing, then it is not asked, and nothing is paid', async () => {
    expect(await verifyWith(pass === undefined ? [] : [pass], trusted, false)).toEqual({
      exitCode: 1,
      requests: 0,
    })
  })
})

describe('given two checks that pass and one that fails', () => {
  const checks = [
    command('grep -q a a.txt', { name: 'first' }),
    command('grep -q b a.txt', { name: 'second' }),
    command('grep -c a a.txt', { name: 'third', weight: 2 }),
  ]
  const outcomeUnder = (
    policy: AgentLoopOptions['aggregate'],
    hardVerifiers: AgentLoopOptions['hardVerifiers'] = checks,
  ) =>
    inPlace({ 'a.txt': 'a\n' }, async ({ folder: workFolder }) => {
      const { transition } = await verifyWork({
        workFolder,
        hardVerifiers,
        ...(policy === undefined ? {} : { aggregate: policy }),
      })
      return transition.outcome
    })

  it.each([
    ['all required', allRequired, 'failed'],
    ['a veto of deterministic checks', deterministicVeto, 'failed'],
    ['no policy, which is that veto', undefined, 'failed'],
    ['a quorum of two', quorum({ atLeast: 2 }), 'verified'],
    ['a quorum of three', quorum({ atLeast: 3 }), 'failed'],
    ['three quarters of the weight', weightedScore({ threshold: 0.75 }), 'verified'],
    ['four fifths of the weight', weightedScore({ threshold: 0.8 }), 'failed'],
  ])('then under %s they are decided as one', async (_, policy, outcome) => {
    expect(await outcomeUnder(policy)).toBe(outcome)
  })

  it('then under the veto no judge outvotes the one that fails, and one that is broken is never a pass', async () => {
    const met = { kind: 'met', reason: 'fine', quotes: [], costUsd: 0 } as const
    const judge = { name: 'judge', judge: () => Promise.resolve(met) }
    const withJudge = [...checks, judgedBy(judge, { rubric: 'It is fine.' })]
    expect(await outcomeUnder(deterministicVeto, withJudge)).toBe('failed')
    const broken = verifierOf('broken', () => {
      throw new Error('no disk')
    })
    for (const policy of [
      allRequired,
      deterministicVeto,
      quorum({ atLeast: 2 }),
      weightedScore({ threshold: 0.6 }),
    ])
      expect(await outcomeUnder(policy, [checks[0] ?? broken, broken])).toBe('blocked')
  })

  it('then a configuration composes them as well', async () => {
    const of = ['a', 'b', '.'].map((text) => ({
      kind: 'files',
      files: ['a.txt'],
      contain: text,
      name: `has ${text}`,
    }))
    const [two, three] = [2, 3].map((atLeast) =>
      JSON.stringify({ checks: [{ kind: 'quorum', atLeast, of }] }),
    )
    await inPlace({ 'a.txt': 'a.\n', 'donecheck.config.json': two ?? '' }, async (place) => {
      expect((await place.run(['verify'])).exitCode).toBe(0)
      await place.write('donecheck.config.json', three ?? '')
      expect((await place.run(['verify'])).exitCode).toBe(1)
    })
  })
})

describe('given the points at which a run asks its checks', () => {
  /** Idle in its first two turns, then it writes, then it does the work. */
  const agent = `cat > ../prompt.txt; n=$(cat ../n 2>/dev/null || echo 0); echo $((n+1)) > ../n
[ $n != 2 ] || echo half > half.txt; [ $n != 3 ] || touch done.txt; echo done`
  const until = ['--until', 'echo x >> ../asked.txt; test -e done.txt'] as const
  const asked = async ({ folder }: Place) =>
    (await readFile(join(folder, '../asked.txt'), 'utf8')).trim().split('\n').length

  it('then verifyWhen says at which of them, and the work is verified once it is done', async () => {
    const times: Record<string, number> = {}
    for (const when of ['every-turn', 'on-change', 'on-claim', 'on-change-or-claim'])
      await inPlace({ 'agent.sh': agent }, async (place) => {
        const words = ['--agent', 'sh agent.sh', `DONECHECK_VERIFY_WHEN=${when}`, '--json', 'Make it.']
        const ended = await place.run(['run', ...until, ...words])
        expect(lastJson(ended), when).toMatchObject({ outcome: 'verified', turns: 4 })
        times[when] = await asked(place)
      })
    expect(times['on-change']).toBeLessThan(times['every-turn'] ?? 0)
    expect(times['on-claim']).toBe(times['on-change-or-claim'])
  })

  it('then work that is done when a cap is reached is found by the last check, unless it is switched off', async () => {
    const quiet = { 'agent.sh': 'touch done.txt; exec tail -f /dev/null' }
    const words = ['--agent', 'sh agent.sh', 'DONECHECK_VERIFY_WHEN=on-claim', '--max-seconds', '8', '--json']
    for (const [more, end] of [
      [[], { reason: 'task_complete', atCap: 'wall_clock', exitCode: 0 }],
      [['DONECHECK_VERIFY_AT_CAP=false'], { reason: 'hard_cap', cap: 'wall_clock', exitCode: 3 }],
    ] as const)
      await inPlace(quiet, async (place) => {
        expect(lastJson(await place.run(['run', ...until, ...words, ...more, 'Make it.']))).toMatchObject(end)
      })
  })

  it('then a run that was killed between two of them goes on from the last, with all that it has spent', async () => {
    const dies = `${agent}\n[ $n != 1 ] || kill -9 $(cat ../run.pid)`
    await inPlace({ 'agent.sh': dies }, async (place) => {
      const run = place.start(['run', ...until, '--agent', 'sh agent.sh', '--max-turns', '5', 'Make it.'])
      await place.write('../run.pid', String(run.child.pid))
      await run.ended
      expect(lastJson(await place.run(['list', '--json']))).not.toMatchObject([{ outcome: 'verified' }])
      const resumed = lastJson(await place.run(['resume', 'last', '--json']))
      expect(resumed).toMatchObject({ outcome: 'verified', exitCode: 0 })
      expect(resumed['turns']).toBeGreaterThan(2)
    })
  })
})
