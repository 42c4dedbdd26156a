/** What is wanted of a run, what it may do, and who is asked: patches, policy, goals with parts, approvals. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inPlace, lastJson, type Place } from '../e2e/donecheck.ts'
import { mends, patches, patchText, readRecord, shell, shop, tell, writes } from '../e2e/gate-run.ts'
import { says, withModelServer } from '../e2e/model-server.ts'

const textOf = ({ folder }: Place, file: string) => readFile(join(folder, file), 'utf8')

describe('given a patch', () => {
  const files = { 'a.txt': 'one\ntwo\n' }
  const fits = patchText('*** Update File: a.txt', ' one', '-two', '+2')
  const isStale = fits.replace('-two', '-tow')
  const isOutside = patchText('*** Add File: ../x.txt', '+x')

  it.each([
    ['fits', ['check'], fits, 0, 'one\ntwo\n'],
    ['fits and is applied', ['apply'], fits, 0, 'one\n2\n'],
    ['does not fit', ['apply'], isStale, 1, 'one\ntwo\n'],
    ['leaves the folder', ['apply'], isOutside, 1, 'one\ntwo\n'],
    ['is empty', ['apply'], '\n', 1, 'one\ntwo\n'],
    ['is in no known format', ['check', '--format', 'ed'], fits, 2, 'one\ntwo\n'],
  ])('that %s, then the exit code and the files say so', async (_, words, stdin, exitCode, content) => {
    await inPlace(files, async (place) => {
      expect((await place.run(['patch', ...words], { stdin })).exitCode).toBe(exitCode)
      expect(await textOf(place, 'a.txt')).toBe(content)
      expect(existsSync(join(place.folder, '../x.txt'))).toBe(false)
    })
  })

  it('of a model that fits only in part, then nothing of it is written, and the model is told what is missing', async () => {
    const half = patches(
      ...['*** Update File: src/price.txt', ' price', '-broken', '+fixed'],
      ...['*** Update File: src/cart.txt', ' cart', '-brocken', '+fixed'],
    )
    const { statuses, ended } = await tell({ steps: [half, mends], words: ['--yes'] })
    expect(statuses[0]?.refusal).toMatchObject({ by: 'schema', label: 'invalid_patch' })
    expect(statuses[0]?.answer).toContain('nothing was written')
    expect(statuses[0]?.answer).toContain('such as "brocken"')
    expect(ended.exitCode).toBe(0)
  })
})

describe('given a policy with three answers', () => {
  const rules = [
    'prefix_rule(pattern=["make"], decision="allow")',
    'prefix_rule(pattern=["npm", "publish"], decision="prompt", justification="people release")',
    'prefix_rule(pattern=["git", "push"], decision="forbidden", justification="ask ann")',
  ].join('\n')

  it.each([
    ['make all', 'allow'],
    ['npm publish', 'prompt'],
    ['true && (env -i sh -c "git \'push\'")', 'forbidden'],
  ])('then the shell is told of %j: %s', async (script, decision) => {
    await inPlace({ 'a.rules': rules }, async (place) => {
      const decided = await place.run(['rules', 'check', '--rules', 'a.rules', '--script', script])
      expect(lastJson(decided)).toMatchObject({ decision })
      expect(decided.exitCode).toBe(0)
    })
  })

  it('then a run runs what is allowed, refuses what is forbidden, and asks about the rest, which nobody answers', async () => {
    const steps = [shell('make all || true'), shell('npm publish'), shell('git push'), mends]
    const files = { 'a.rules': rules, Makefile: 'all:\n\ttrue\n' }
    const words = ['--rules', 'a.rules', '--sandbox', 'off']
    const { statuses, ended } = await tell({ steps, files, words })
    expect(statuses.map(({ decision }) => decision?.decision)).toEqual([
      'allow',
      'prompt',
      'forbidden',
      undefined,
    ])
    expect(statuses.map(({ refusal }) => refusal?.by)).toEqual([undefined, 'approver', 'gate', undefined])
    expect(statuses[1]?.answer).toContain('there is no terminal')
    expect(statuses[2]?.answer).toContain('ask ann')
    expect(ended.exitCode).toBe(0)
  })

  it('then a run that is refused everything ends as permission_denied, blocked, with 5', async () => {
    const pushes = Array.from({ length: 4 }, (_, at) => shell(`git push origin ${at}`))
    const { ended } = await tell({
      steps: pushes,
      files: { 'a.rules': rules },
      words: ['--rules', 'a.rules'],
    })
    expect(ended.stdout).toMatch(/→ blocked after 3 turns: permission_denied/)
    expect(ended.exitCode).toBe(5)
  })

  it('then rules that cannot be read begin nothing', async () => {
    await inPlace({ 'broken.rules': 'prefix_rule(' }, async (place) => {
      expect((await place.run(['rules', 'check', '--rules', 'broken.rules', 'ls'])).exitCode).toBe(1)
      const words = ['--until', 'test -e x', '--agent', 'true', '--rules', 'broken.rules', 'Work.']
      expect((await place.run(['run', ...words])).exitCode).toBe(2)
    })
  })
})

const goalFile = (...parts: readonly string[]) =>
  `# Outcome\n\nIt is done.\n\n## Sub-goals\n\n${parts.join('\n')}\n`
const goal = z.looseObject({
  goal: z.looseObject({ status: z.string() }),
  subGoals: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  progress: z.looseObject({ closed: z.number(), leaves: z.number() }),
})
const goalOf = async (place: Place) =>
  goal.parse(lastJson(await place.run(['goal', 'show', 'last', '--json'])))

describe('given a goal with parts', () => {
  it('then a part that is added and a title that is edited in mid-run hold from the next turn on', async () => {
    const hold = 'mkfifo fifo; touch reached; read x < fifo; rm fifo'
    const steps = [writes('one.txt', '1'), shell(hold), writes('two.txt', '2'), writes('three.txt', '3')]
    const parts = [
      '- [one] The first: `test -e one.txt`',
      '- [two] The second (after one): `test -e two.txt`',
    ]
    await inPlace({ 'GOAL.md': goalFile(...parts) }, (place) =>
      withModelServer(steps, says('Done.'), async ({ baseUrl, requests }) => {
        const model = ['--base-url', baseUrl, '--model', 'fake-model', '--yes', '--sandbox', 'off']
        const run = place.start(['run', '--goal', 'GOAL.md', ...model])
        await expect.poll(() => existsSync(join(place.folder, 'reached'))).toBe(true)
        expect((await goalOf(place)).subGoals.map(({ status }) => status)).toEqual(['closed', 'next'])
        const part = ['The third', '--id', 'three', '--until', 'test -e three.txt', '--after', 'two']
        const added = await place.run(['goal', 'add', 'last', ...part])
        expect(added.stderr).toContain('it takes effect before its next turn')
        await place.run(['goal', 'edit', 'last', '--id', 'two', 'The second, with a 2 in it'])
        await place.write('fifo', 'go\n')
        const ended = await run.ended
        expect(ended.exitCode, ended.output).toBe(0)
        expect(JSON.stringify(requests()[2])).toContain('The second, with a 2 in it')
        expect(await goalOf(place)).toMatchObject({
          goal: { status: 'complete' },
          subGoals: [{ status: 'closed' }, { status: 'closed' }, { id: 'three', status: 'closed' }],
          progress: { closed: 3, leaves: 3 },
        })
      }),
    )
  })

  it('then a part whose budget is used leaves the rest to the others, and blocks the run until it gets more', async () => {
    const parts = [
      '- [one] The first (at most 2 turns): `test -e one.txt`',
      '- [two] The second: `test -e two.txt`',
    ]
    const agent =
      'cat > prompt.txt; n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n; [ $n -lt 3 ] || touch two.txt; [ $n -lt 6 ] || touch one.txt; echo step'
    await inPlace({ 'GOAL.md': goalFile(...parts), 'agent.sh': agent }, async (place) => {
      const ended = await place.run(['run', '--goal', 'GOAL.md', '--agent', 'sh agent.sh'])
      expect(ended.stdout).toContain('→ blocked')
      expect(ended.exitCode).toBe(5)
      expect(await goalOf(place)).toMatchObject({
        goal: { status: 'budget-limited' },
        progress: { closed: 1 },
      })
      await place.run(['goal', 'edit', 'last', '--id', 'one', '--at-most', '20 turns'])
      expect((await place.run(['resume', 'last'])).exitCode).toBe(0)
      expect(await goalOf(place)).toMatchObject({ goal: { status: 'complete' }, progress: { closed: 2 } })
    })
  })

  it('then a part that no check closes keeps the run from being verified', async () => {
    await inPlace(
      { 'GOAL.md': goalFile('- [talk] Tell Bob'), 'agent.sh': 'touch done.txt; echo done' },
      async (place) => {
        const words = ['--goal', 'GOAL.md', '--until', 'test -e done.txt', '--agent', 'sh agent.sh']
        const ended = await place.run(['run', ...words])
        expect(ended.stdout).toContain('→ unverified')
        expect(ended.exitCode).toBe(4)
        expect((await goalOf(place)).goal.status).not.toBe('complete')
      },
    )
  })

  it('then a run can be paused with a reason, and goes on when it is resumed', async () => {
    const agent =
      'if test -e reached; then touch done.txt; else mkfifo fifo; touch reached; read x < fifo; fi'
    await inPlace({ 'agent.sh': agent }, async (place) => {
      const run = place.start([
        'run',
        '--until',
        'test -e done.txt',
        '--agent',
        'sh agent.sh',
        'Make done.txt.',
      ])
      await expect.poll(() => existsSync(join(place.folder, 'reached'))).toBe(true)
      await place.run(['goal', 'pause', 'last', '--reason', 'the database is being moved'])
      await place.write('fifo', 'go\n')
      const ended = await run.ended
      expect(ended.output).toContain('the database is being moved')
      expect(ended.exitCode).toBe(130)
      expect((await place.run(['resume', 'last'])).exitCode).toBe(0)
    })
  })
})

describe('given a run that asks a person who answers in another process', () => {
  const waiting = async (place: Place) =>
    z.array(z.looseObject({ id: z.string() })).parse(lastJson(await place.run(['approve', 'list', '--json'])))

  it('then a denial is told to the model with its reason, and an approval lets the call run', async () => {
    const fixes = shell('sed -i s/broken/fixed/ src/cart.txt src/price.txt')
    await inPlace(shop, (place) =>
      withModelServer([shell('rm -r src'), fixes], says('Done.'), async ({ baseUrl, requests }) => {
        const model = ['--base-url', baseUrl, '--model', 'fake-model', '--sandbox', 'off']
        const run = place.start([
          'run',
          '--until',
          'sh check.sh',
          ...model,
          '--approval',
          'all',
          'DONECHECK_ASK=page',
          'Mend it.',
        ])
        await run.shows('it waits: donecheck approve q-')
        const [first] = await waiting(place)
        await place.run(['approve', 'deny', first?.id ?? '', '--by', 'Mia', '--reason', 'the sources stay'])
        await expect.poll(() => waiting(place)).not.toMatchObject([first])
        await expect.poll(() => waiting(place)).toHaveLength(1)
        const [second] = await waiting(place)
        await place.run(['approve', second?.id ?? '', '--by', 'Mia'])
        const ended = await run.ended
        expect(ended.exitCode, ended.output).toBe(0)
        const { statuses } = await readRecord(place, requests())
        expect(statuses[0]?.refusal).toMatchObject({ label: 'approval_denied', reason: 'the sources stay' })
        expect(statuses[1]?.refusal).toBeUndefined()
        expect(existsSync(join(place.folder, 'src'))).toBe(true)
      }),
    )
  })
})
