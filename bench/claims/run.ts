/** `npm run bench:claims [-- OPTIONS]`: what a claim rests on and what contradicts it, over recorded runs. See `usage`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkedSample } from './checked-sample.ts'
import { measureClaims } from './measure-claims.ts'
import { parseOptions, usage } from './options.ts'
import { introduction, pageOf } from './page.ts'
import { sampleText } from './sample.ts'

const page = fileURLToPath(new URL('../../docs/measured/claims.md', import.meta.url))

if (process.argv.includes('--help')) console.log(usage)
else await run()

async function run(): Promise<void> {
  const options = parseOptions(process.argv.slice(2), process.env)
  if (options.sample) {
    console.log(await sampleText(options.folder, options.half))
    return
  }
  const measured = await measureClaims(options.folder, options.half)
  const text = pageOf(measured, checkedSample(), options.half)
  if (options.write && measured.claims.length === 0) {
    console.error('nothing was written: there are no recorded runs')
    process.exitCode = 1
  } else if (options.write) writeFileSync(page, `${introduction}\n\n${text}\n`)
  console.log(text.replaceAll('<!-- prettier-ignore -->\n', ''))
}
