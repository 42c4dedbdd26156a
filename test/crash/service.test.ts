/** The service is killed again and again, at random, while a run works and asks; whoever listens goes on after what it has heard. */
import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { inPlace } from '../e2e/donecheck.ts'
import { shell, shop } from '../e2e/gate-run.ts'
import { listenTo, type Heard } from '../e2e/listen-to.ts'
import { says, withModelServer } from '../e2e/model-server.ts'
import { readCommand } from '../e2e/read-command.ts'
import { serve, token, users } from '../e2e/serving.ts'

const begun = z.object({ runId: z.string() })
const open = z.object({ questions: z.array(z.looseObject({ id: z.string() })) })
/** Every call is asked for. */
const steps = [
  ...Array.from({ length: 6 }, (_, index) => shell(`echo ${index} >> log.txt`)),
  shell('sed -i s/broken/fixed/ src/cart.txt src/price.txt'),
]

it('no event is lost or told twice, no question is lost, and each is answered once', async () => {
  await inPlace({ ...shop, '../home/tokens.json': users }, (place) =>
    withModelServer(steps, says('Done.'), async ({ baseUrl }) => {
      const settings = { DONECHECK_BASE_URL: baseUrl, DONECHECK_APPROVAL: 'all', DONECHECK_SANDBOX: 'off' }
      let service = await serve(place, settings)
      const wanted = { task: 'Mend it.', until: ['sh check.sh'], model: 'fake-model' }
      const { runId } = begun.parse(await (await service.ask('POST', '/api/runs', wanted)).json())
      const heard: Heard[] = []
      const lives: number[] = []
      const isOver = () => heard.at(-1)?.type === 'run-stopped'
      while (!isOver()) {
        const listening = listenTo(`${service.url}/api/runs/${runId}/stream`, token, heard)
        const broken = listening.catch(() => undefined)
        const until = heard.length + randomInt(1, 14)
        lives.push(until)
        // Whatever waits is allowed, so that the run goes on; some kills come between a question and its answer.
        while (!isOver() && heard.length < until) await allowWhatWaits(service)
        service.started.child.kill('SIGKILL')
        await service.started.ended
        await broken
        service = await serve(place, settings)
      }
      const kept = (await readCommand(place, ['show', runId, '--json'])).trim().split('\n')
      const said = `killed after ${lives.join(', ')} events`
      expect(
        heard.map(({ sequence }) => sequence),
        said,
      ).toEqual(kept.map((_, index) => index + 1))
      expect(
        heard.filter(({ type }) => type === 'approval-given'),
        said,
      ).toHaveLength(steps.length)
      expect(await (await service.ask('GET', `/api/runs/${runId}`)).json(), said).toMatchObject({
        run: { outcome: 'verified' },
      })
      service.started.child.kill('SIGINT')
      expect((await service.started.ended).exitCode).toBe(0)
    }),
  )
})

async function allowWhatWaits({ ask }: Awaited<ReturnType<typeof serve>>): Promise<void> {
  const { questions } = open.parse(await (await ask('GET', '/api/questions?wait=1')).json())
  for (const { id } of questions) await ask('POST', `/api/questions/${id}/answer`, { approved: true })
}
