/** Texts of models that try to be more than texts, on every page and in a report. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fold } from '@donecheck/core/internal/state'
import { explainRun } from '@donecheck/engine/display'
import { memoryStore } from '@donecheck/engine/store'
import { reportPage } from '@donecheck/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, launchBrowser, openPage } from './browser.ts'
import { hostileRun, hostileText } from './runs.ts'
import { serveStore, type Served } from './served.ts'

const runId = 'run-hostile'
const views = ['', '?tab=turns', '?tab=events', '?tab=changes', '?tab=goal']

async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate('globalThis.taken')).toBeUndefined()
  expect(await page.locator('img, iframe, object, script:not([src]):not([type])').count()).toBe(0)
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
  expect(await page.locator('main').innerText()).not.toMatch(/\u202E/)
}

describeInBrowser('given a run whose every text is hostile', () => {
  let browser: Browser
  let served: Served

  beforeAll(async () => {
    browser = await launchBrowser()
    served = await serveStore(memoryStore())
    await served.store.append(0, hostileRun(runId), null)
  })
  afterAll(async () => {
    await browser.close()
    await served[Symbol.asyncDispose]()
  })

  it('shows it as text in every view, and every event of it', async () => {
    const { page, complaints } = await openPage(browser, [served.link])
    for (const path of [
      '/',
      ...views.map((view) => `/runs/${runId}${view}`),
      '/insights',
      `/compare?a=${runId}&b=${runId}`,
    ]) {
      await page.goto(served.url + path)
      await page.locator('.unseen').first().waitFor({ state: 'attached' })
      await expectHarmless(page)
    }
    await page.goto(`${served.url}/runs/${runId}?tab=events`)
    await page.getByRole('listbox').focus()
    for (let count = hostileRun(runId).length; count > 0; count -= 1) {
      await page.keyboard.press('ArrowDown')
      await page.locator('.detail details').last().evaluate('(element) => element.open = true')
      await expectHarmless(page)
    }
    expect(complaints).toEqual([])
  })

  it('asks with it, and takes the answer of whoever is first', async () => {
    const { store, link, url } = served
    const subject = {
      kind: 'call',
      callId: 'call-1',
      tool: hostileText,
      effect: 'execute',
      summary: hostileText,
      reason: hostileText,
      details: `--- a\n+++ b\n@@ -1 +1 @@\n-${hostileText}\n+${hostileText}`,
      amendment: { prefix: [hostileText] },
      scopes: { yes: ['once', 'session'], no: ['once'] },
    } as const
    for (const id of ['q1', 'q2', 'q3'])
      await store.keepQuestion({ id, runId, askedAtMs: Date.now(), subject })
    const { page, complaints } = await openPage(browser, [link, `${url}/approvals`])
    const open = page.locator('.questions li')
    await expect.poll(() => open.count()).toBe(3)
    await expectHarmless(page)
    // Held down until the next question is there: that one was not meant.
    await page.keyboard.down('a')
    await expect.poll(() => open.count()).toBe(2)
    await page.keyboard.down('a')
    await page.keyboard.up('a')
    expect((await store.question('q1'))?.answer).toMatchObject({ approved: true, scope: 'once' })
    await page.keyboard.press('d')
    await page.keyboard.type('not on a Friday')
    await page.keyboard.press('Enter')
    await expect.poll(() => open.count()).toBe(1)
    expect((await store.question('q2'))?.answer).toMatchObject({ approved: false, reason: 'not on a Friday' })
    const elsewhere = { approved: true, by: 'ada', reason: '', answeredAtMs: Date.now() }
    await store.answerQuestion('q3', elsewhere)
    await expect.poll(() => open.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('is as harmless in a file of its own, which asks nobody for anything', async () => {
    const { store } = served
    const events = await store.read(runId)
    const [run] = await store.list()
    const state = fold(events)
    if (run === undefined || state === undefined) throw new TypeError('there is no run')
    const folder = mkdtempSync(join(tmpdir(), 'donecheck-report-'))
    const file = join(folder, 'run.html')
    writeFileSync(file, reportPage({ run, explanation: explainRun(state), events, attachments: {} }))
    const { page, complaints } = await openPage(browser, [`file://${file}`], { offline: true })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    for (const key of ['1', '2', '3', '4', '5']) {
      await page.keyboard.press(key)
      await page.locator('.unseen').first().waitFor({ state: 'attached' })
      await expectHarmless(page)
    }
    expect([...complaints, ...asked]).toEqual([])
    rmSync(folder, { recursive: true })
  })
})
