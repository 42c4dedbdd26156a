/** The page beside commands that run in processes of their own: it moves on with them, and answers what they ask. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { inPlace, type Place, type Started } from '../e2e/donecheck.ts'
import { shell, shop } from '../e2e/gate-run.ts'
import { says, withModelServer } from '../e2e/model-server.ts'
import { describeInBrowser, launchBrowser, openPage } from './browser.ts'

const announced = z.object({ url: z.string(), token: z.string() })

/** The service in a process of its own, over the runs of this place. */
async function serve(
  place: Place,
): Promise<{ readonly started: Started; readonly url: string; readonly link: string }> {
  const started = place.start(['serve', '--listen', '127.0.0.1:0', '--json'])
  const line = Promise.withResolvers<string>()
  started.child.stdout?.once('data', (piece: string) => line.resolve(piece))
  void started.ended.then(({ stderr }) => line.reject(new Error(stderr)))
  const { url, token } = announced.parse(JSON.parse(await line.promise))
  return { started, url, link: `${url}/login?token=${token}` }
}

/** Works for as long as nobody lets it go on. */
const agent = `until test -e go.txt; do sleep 0.05; done\necho done > done.txt\necho Done.\n`

const priceTest = [
  "const test = require('node:test')",
  "const assert = require('node:assert')",
  "const { total } = require('../src/total.js')",
  "test('adds the prices', () => {",
  '  assert.equal(total([1, 1]), 2)',
  '  assert.equal(total([2, 2]), 4)',
  '})',
  '',
].join('\n')

describeInBrowser('given a service and a command beside it', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())

  it('a run appears, goes on and ends on the page without a reload', () =>
    inPlace({ 'agent.sh': agent }, async (place) => {
      const { started, link } = await serve(place)
      const { page, complaints } = await openPage(browser, [link])
      await page.getByText('No runs here.').waitFor()
      const run = place.start([
        'run',
        '--agent',
        'sh agent.sh',
        '--until',
        'test -e done.txt',
        'Make the file.',
      ])
      await page.getByRole('link', { name: 'Make the file.' }).click()
      const banner = page.getByRole('region', { name: 'How it ended' })
      await expect.poll(() => banner.textContent()).toMatch(/running.*turn 1/)
      await place.write('go.txt', '')
      await expect.poll(() => banner.textContent()).toMatch(/verified.*task_complete.*donecheck receipt/)
      await expect.poll(() => page.locator('.matrix').textContent()).toContain('✓')
      await page.getByRole('button', { name: /^changes/i }).click()
      await expect.poll(() => page.locator('.change').first().textContent()).toMatch(/done\.txt\+1 −0.*done/)
      await page.getByRole('link', { name: 'Runs' }).click()
      await expect.poll(() => page.locator('table.runs tbody tr').textContent()).toContain('verified')
      expect((await run.ended).exitCode).toBe(0)
      expect(complaints).toEqual([])
      started.child.kill('SIGINT')
      await started.ended
    }))

  it('starts a run from a form, and sends it another objective', () =>
    inPlace({ 'agent.sh': agent }, async (place) => {
      const { started, link } = await serve(place)
      const { page, complaints } = await openPage(browser, [link])
      await page.getByText('New run').click()
      await page.getByRole('textbox', { name: 'Task' }).fill('Make the file.')
      await page.getByLabel('Agent or model').fill('sh agent.sh')
      await page.getByRole('textbox', { name: 'Check' }).fill('test -e done.txt')
      await page.getByRole('button', { name: 'Start the run' }).click()
      const banner = page.getByRole('region', { name: 'How it ended' })
      await expect.poll(() => banner.textContent()).toMatch(/running.*turn 1/)
      await page.getByRole('button', { name: /^goal/i }).click()
      await page.getByText('Change the goal').click()
      await page.getByLabel('Objective').fill('Make the file, and keep it empty.')
      await page.getByRole('button', { name: 'Send to the run' }).click()
      await page.getByText('Requested.').waitFor()
      await place.write('go.txt', '')
      await expect.poll(() => banner.textContent()).toMatch(/verified/)
      await expect.poll(() => page.locator('pre').first().textContent()).toContain('and keep it empty')
      expect(complaints).toEqual([])
      started.child.kill('SIGINT')
      await started.ended
    }))

  it('says what to type after an answer to the question of a run that has ended, and resumes it', () => {
    const weakens = "sed -i 's/, 2)/, 3)/; s/, 4)/, 5)/' test/price.test.js; echo Done."
    const broken = 'exports.total = (prices) => prices.reduce((sum, price) => sum + price, 1)\n'
    const files = { 'src/total.js': broken, 'test/price.test.js': priceTest, 'agent.sh': weakens }
    return inPlace(files, async (place) => {
      const words = ['--until', 'node --test', '--agent', 'sh agent.sh', '--max-turns', '2']
      expect((await place.start(['run', ...words, 'Fix it.']).ended).exitCode).toBe(5)
      const { started, url, link } = await serve(place)
      const { page, complaints } = await openPage(browser, [link, `${url}/approvals`])
      await expect.poll(() => page.locator('pre.diff .removed').count()).toBe(2)
      expect(await page.locator('pre.diff').textContent()).toContain('✗ adds the prices')
      await page.getByRole('button', { name: 'Allow once' }).click()
      const next = page.getByRole('region', { name: 'Next step' })
      await expect.poll(() => next.textContent()).toMatch(/donecheck resume [0-9A-Z]{26}/)
      await next.getByRole('button', { name: 'Resume the run' }).click()
      const banner = page.getByRole('region', { name: 'How it ended' })
      await expect.poll(() => banner.textContent()).toMatch(/verified.*task_complete/)
      expect(complaints).toEqual([])
      started.child.kill('SIGINT')
      await started.ended
    })
  })

  it('twelve tabs load, show what happens, and the last one allows the call that waits', () =>
    inPlace(shop, (place) =>
      withModelServer(
        [shell('sed -i s/broken/fixed/ src/cart.txt src/price.txt')],
        says('Done.'),
        async ({ baseUrl }) => {
          const { started, url, link } = await serve(place)
          const { page, complaints } = await openPage(browser, [link])
          const others = Array.from({ length: 11 }, () => page.context().newPage())
          const tabs = [page, ...(await Promise.all(others))]
          for (const tab of tabs.slice(1)) await tab.goto(url)
          for (const tab of tabs) await tab.getByText('No runs here.').waitFor()
          const model = ['--base-url', baseUrl, '--model', 'fake-model', '--sandbox', 'off']
          const asks = ['--approval', 'all', 'DONECHECK_ASK=page']
          const run = place.start(['run', '--until', 'sh check.sh', ...model, ...asks, 'Fix it.'])
          for (const tab of tabs) await tab.getByRole('link', { name: 'Fix it.' }).waitFor()
          // The tab that reads the stream for all is closed without a word, and another is loaded again.
          await tabs[0]?.close()
          await tabs[1]?.reload()
          for (const tab of tabs.slice(1, 6)) await tab.getByRole('link', { name: 'Fix it.' }).click()
          const last = tabs.at(-1) ?? page
          await last.goto(`${url}/approvals`)
          await last.getByRole('region', { name: 'What is asked' }).waitFor()
          await last.keyboard.press('a')
          await last.getByText('Nothing waits for you.').waitFor()
          expect((await run.ended).exitCode).toBe(0)
          for (const tab of tabs.slice(1, 6)) {
            const banner = tab.getByRole('region', { name: 'How it ended' })
            await expect.poll(() => banner.textContent()).toContain('verified')
          }
          for (const tab of tabs.slice(6, 11))
            await expect.poll(() => tab.locator('table.runs tbody tr').textContent()).toContain('verified')
          expect(complaints).toEqual([])
          started.child.kill('SIGINT')
          await started.ended
        },
      ),
    ))

  it('a call that waits is allowed on the page, and the command goes on', () =>
    inPlace(shop, (place) =>
      withModelServer(
        [shell('sed -i s/broken/fixed/ src/cart.txt src/price.txt')],
        says('Done.'),
        async ({ baseUrl }) => {
          const { started, url, link } = await serve(place)
          const model = ['--base-url', baseUrl, '--model', 'fake-model', '--sandbox', 'off']
          const asks = ['--approval', 'all', 'DONECHECK_ASK=page']
          const run = place.start(['run', '--until', 'sh check.sh', ...model, ...asks, 'Mend it.'])
          const { page } = await openPage(browser, [link, `${url}/approvals`])
          const asked = page.getByRole('region', { name: 'What is asked' })
          await expect.poll(() => asked.textContent()).toContain('sed -i')
          await page.keyboard.press('a')
          await page.getByText('Nothing waits for you.').waitFor()
          const { exitCode, stdout } = await run.ended
          expect([exitCode, stdout]).toEqual([0, expect.stringContaining('verified')])
          started.child.kill('SIGINT')
          await started.ended
        },
      ),
    ))
})
