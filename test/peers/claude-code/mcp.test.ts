/** The real Claude Code as a client of `donecheck mcp`. */
import { expect, it } from 'vitest'
import { check, describeWith, donecheckProgram, inPlace, mends, redProject } from '../kit/index.ts'

describeWith('claude', 'given the server of donecheck among its MCP servers', () => {
  it('then it asks whether it is done, is told why not, and is confirmed in the end', async () => {
    const asks = { tool: 'mcp__donecheck__check_done', args: {} }
    const steps = [asks, mends('claude'), asks, { text: 'The checks confirm it.' }]
    await inPlace({ agents: ['claude'], files: redProject, script: { steps } }, async (place) => {
      const server = { command: process.execPath, args: [donecheckProgram, 'mcp', '--until', check] }
      await place.write('../outside/mcp.json', JSON.stringify({ mcpServers: { donecheck: server } }))
      const words = ['--mcp-config', `${place.outside}/mcp.json`, '--strict-mcp-config']
      const { exitCode, stderr } = await place.prompt('claude', 'Create done.txt.', words)
      expect(exitCode, stderr).toBe(0)
      expect(place.server.turns[1]?.told).toContain(`Check \\"${check}\\" failed`)
      expect(place.server.turns[3]?.told).toContain('Verified')
      const listed = await place.donecheck(['list', '--json'])
      expect(JSON.parse(listed.stdout)).toMatchObject([{ outcome: 'verified' }])
    })
  })
})
