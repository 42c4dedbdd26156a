import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { makeProject, outputIn, testsIn, type Project } from './fixtures/project.ts'

let project: Project | undefined

afterEach(async () => {
  await project?.remove()
  project = undefined
})

const runs = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0
const hasGo = runs('go', 'version')
const hasPytest = runs('python3', '-m', 'pytest', '--version')

describe.skipIf(!hasPytest)('given a project with pytest (skipped where pytest is not installed)', () => {
  const line = 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -p no:cacheprovider'
  const good = 'def test_one():\n    pass\n\ndef test_two():\n    pass\n'

  it('reads its report: names, files, lines and counts', async () => {
    project = await makeProject({ 'test_a.py': good.replace('pass\n\n', 'assert 1 == 2\n\n') })
    const report = await project.check(line)
    expect(report).toMatchObject({ status: 'failed', score: 0.5 })
    expect(testsIn(report)).toMatchObject({
      format: 'junit',
      counts: { passed: 1, failed: 1 },
      failed: [{ name: 'test_a > test_one', file: 'test_a.py', line: 1 }],
    })
    expect(outputIn(report)).toContain('1 failed, 1 passed')
    expect(outputIn(report)).not.toMatch(/[0-9a-f]{12}\w{6}/)
  })

  it('does not believe a run that ended before its tests', async () => {
    project = await makeProject({ 'test_a.py': good, 'conftest.py': 'import os\nos._exit(0)\n' })
    const report = await project.check(line)
    expect(report).toMatchObject({ status: 'failed' })
    expect(report.reason).toContain('ended before its report was complete')
  })
})

describe.skipIf(!hasGo)('given a project in Go (skipped where Go is not installed)', () => {
  const manifest = 'module example.com/a\n\ngo 1.19\n'
  const good = 'package a\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {}\n'
  const environment = { GOFLAGS: '-mod=mod', GOPROXY: 'off' }

  it('reads its events, and shows what people read', async () => {
    project = await makeProject({ 'go.mod': manifest, 'a_test.go': good })
    const report = await project.check('go test ./...', { environment })
    expect(report).toMatchObject({ status: 'passed', reason: 'tests passed (exit 0; 1 passed)', score: 1 })
    expect(testsIn(report).format).toBe('go-json')
    expect(outputIn(report)).toContain('--- PASS: TestOne')
    expect(outputIn(report)).not.toContain('"Action"')
  })

  it('does not believe a TestMain that runs nothing', async () => {
    const main = good.replace('func', 'func TestMain(m *testing.M) {}\n\nfunc')
    project = await makeProject({ 'go.mod': manifest, 'a_test.go': main })
    const report = await project.check('go test ./...', { environment })
    expect(report).toMatchObject({ status: 'failed' })
    expect(report.reason).toContain('no test was executed')
  })
})
