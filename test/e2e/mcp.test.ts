/** `donecheck mcp`, asked by a real client over its standard input and output. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inPlace, program, type Place } from './donecheck.ts'

type Ask = (tool: string, args?: Record<string, unknown>) => Promise<string>

const content = z.array(z.object({ text: z.string() })).min(1)

/** A client that is gone afterwards, and its server with it. */
async function asking(
  { folder, home }: Place,
  words: readonly string[],
  work: (ask: Ask) => Promise<void>,
): Promise<void> {
  const client = new Client({ name: 'a test', version: '1' })
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...words],
    cwd: folder,
    env: environment,
    stderr: 'ignore',
  })
  await client.connect(transport)
  try {
    await work(async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args })
      return content.parse(result.content)[0]?.text ?? ''
    })
  } finally {
    await client.close()
  }
}

const runs = z.array(z.object({ task: z.string(), outcome: z.string().nullable() }))

async function runsOf(place: Place): Promise<z.output<typeof runs>> {
  const { stdout } = await place.run(['list', '--json'])
  return runs.parse(JSON.parse(stdout))
}

describe('given a client of the Model Context Protocol', () => {
  it('then it learns the goal, is refused while the check is red, and is confirmed when it is green', async () => {
    await inPlace({}, async (place) => {
      await asking(place, ['--until', 'test -f done.txt', '--goal', 'Write done.txt.'], async (ask) => {
        expect(await ask('get_goal')).toContain('Write done.txt.')
        expect(await ask('check_done', { summary: 'done!' })).toContain('Check "test -f done.txt" failed')
        await place.write('done.txt', '')
        expect(await ask('check_done')).toContain('Verified')
      })
      expect(await runsOf(place)).toMatchObject([{ outcome: 'verified', task: 'Write done.txt.' }])
    })
  })

  it('when the client rewrites the check, then it is asked as it was when the session began', async () => {
    const files = { 'check.sh': 'test -f done.txt\n' }
    await inPlace(files, async (place) => {
      await asking(place, ['--until', 'sh check.sh'], async (ask) => {
        await place.write('check.sh', 'true\n')
        expect(await ask('check_done')).not.toContain('Verified')
      })
    })
  })

  it('when it goes while the check is red, then the record does not say that it was verified', async () => {
    await inPlace({}, async (place) => {
      await asking(place, ['--until', 'false'], async (ask) => {
        await ask('check_done')
      })
      const [run] = await runsOf(place)
      expect(run?.outcome).not.toBe('verified')
    })
  })
})

describe('given wrong usage', () => {
  it('then nothing is served, and standard error says why', async () => {
    await inPlace({}, async (place) => {
      const { exitCode, stderr, stdout } = await place.run(['mcp', '--workdir', 'nowhere'])
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toContain('does not exist')
    })
  })
})
