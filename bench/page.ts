/** `npm run bench:page`: a run of 100,000 events on the page: when it is first seen, when it is whole, and how smoothly it scrolls. */
import { z } from 'zod'
import { launchBrowser, openPage } from '../test/page/browser.ts'
import { longRun } from '../test/page/runs.ts'
import { serveStore } from '../test/page/served.ts'

const events = longRun(12_500, 'run-long')
const served = await serveStore()
await served.store.append(0, events, null)
const browser = await launchBrowser()
const { page } = await openPage(browser, [served.link])

const begunMs = performance.now()
const since = () => `${Math.round(performance.now() - begunMs)} ms`
await page.goto(`${served.url}/runs/run-long?tab=events`)
await page.getByRole('region', { name: 'How it ended' }).getByText('verified').waitFor()
console.log(`${events.length} events; how it ended is seen after ${since()}`)
await page.getByRole('option').first().waitFor()
console.log(`the first events after ${since()}`)

const frames = z.array(z.number())
const scroll = `new Promise((resolve) => {
  const list = document.querySelector('.virtual'), times = []
  let last = performance.now()
  const step = (now) => {
    times.push(now - last); last = now; list.scrollTop += 400
    if (times.length < 240) requestAnimationFrame(step); else resolve(times.slice(1))
  }
  requestAnimationFrame(step)
})`
function tell(when: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
  console.log(`frames ${when}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`)
}
tell('while they come in', frames.parse(await page.evaluate(scroll)))
await page
  .getByText(`${events.length.toLocaleString('en-US')} events`, { exact: true })
  .waitFor({ timeout: 300_000 })
console.log(`all of them after ${since()}`)
tell('when all are there', frames.parse(await page.evaluate(scroll)))
await browser.close()
await served[Symbol.asyncDispose]()
