import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createAgentLoop } from '../compose.ts'
import { scriptedDrive } from '../../drives/index.ts'

it('a function that reads only the answer is not flaky because the folder is the same', async () => {
  const workFolder = await mkdtemp(join(tmpdir(), 'donecheck-answer-'))
  try {
    const loop = createAgentLoop({
      drive: scriptedDrive(['Paris?', 'Paris.']),
      workFolder,
      hardVerifiers: [({ finalText }) => finalText === 'Paris.'],
      finalSummary: false,
    })
    const events = []
    for await (const event of loop.run('Name the capital.')) events.push(event)
    expect(events.at(-1)).toMatchObject({ transition: { outcome: 'verified' } })
  } finally {
    await rm(workFolder, { recursive: true })
  }
})
