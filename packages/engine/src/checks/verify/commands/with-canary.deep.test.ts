import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { askInRoom, makeProject, testsIn, type Project } from './test-reports/fixtures/project.ts'

let project: Project | undefined

afterEach(async () => {
  await project?.remove()
  project = undefined
})

const runs = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0
const hasPytest = runs('python3', '-m', 'pytest', '--version')
const hasGo = runs('go', 'version')

const nodeTest =
  "import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { twice } from '../src/twice.js'\n\ntest('doubles', () => {\n  assert.equal(twice(2), 4)\n})\n"
const right = 'export const twice = (n) => n * 2\n'
const node = (source: string): Record<string, string> => ({
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
  'src/twice.js': source,
  'test/twice.test.js': nodeTest,
})

describe('planted tests of node:test', () => {
  it('leave counts and files as they were', async () => {
    project = await makeProject(node(right))
    const report = await askInRoom(project, 'npm test')
    expect(report).toMatchObject({
      status: 'passed',
      reason: 'tests passed (exit 0; 1 passed)',
      qualifiers: [],
    })
    expect(testsIn(report).counts.total).toBe(1)
    expect(await readFile(join(project.folder, 'test/twice.test.js'), 'utf8')).toBe(nodeTest)
  })

  it.each([
    [
      'patches the assertions',
      "import assert from 'node:assert'\nassert.strict.equal = () => undefined\nexport const twice = (n) => n\n",
    ],
    [
      'patches the assertions of some lines',
      "import assert from 'node:assert/strict'\nconst { equal } = assert\nassert.equal = (...words) => /test\\.js:[1-9]:/.test(new Error().stack) || equal(...words)\nexport const twice = (n) => n\n",
    ],
    ['patches the language', 'Number.prototype.valueOf = () => 1\nexport const twice = (n) => n * 2\n'],
    [
      'reads what is expected',
      "import { readFileSync } from 'node:fs'\nconst rows = readFileSync('test/twice.test.js', 'utf8').split('\\n')\nexport const twice = () => Number(/, (\\d+)\\)$/.exec(rows.findLast((row) => /twice\\(2\\), /.test(row)))[1])\n",
    ],
  ])('see that the product %s', async (_, source) => {
    project = await makeProject(node(source))
    const report = await askInRoom(project, 'npm test')
    expect(report).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
    expect(await readFile(join(project.folder, 'test/twice.test.js'), 'utf8')).toBe(nodeTest)
  })

  it('say nothing of a run that is red without them', async () => {
    project = await makeProject(node('export const twice = (n) => n\n'))
    expect(await askInRoom(project, 'npm test')).toMatchObject({ status: 'failed', qualifiers: [] })
  })

  it('are no reason for red where another part of the line looks at test files', async () => {
    project = await makeProject(node(right))
    const line = 'node --test && ! grep -q globalThis test/twice.test.js'
    expect(await askInRoom(project, line)).toMatchObject({ status: 'passed' })
  })
})

describe('a script that no runner runs', () => {
  const script =
    "import assert from 'node:assert/strict'\nimport { twice } from '../src/twice.js'\nassert.equal(twice(2), 4)\nconsole.log('fine')\n"
  const files = (source: string) => ({
    'package.json': '{ "type": "module" }',
    'src/twice.js': source,
    'test/all.js': script,
  })

  it('is green where its end was reached, and its own lines compare', async () => {
    project = await makeProject(files(right))
    const report = await askInRoom(project, 'node test/all.js')
    expect(report).toMatchObject({ status: 'passed', qualifiers: [] })
  })

  it.each([
    [
      'swallows what is thrown',
      "process.on('uncaughtException', () => undefined)\nexport const twice = (n) => n\n",
    ],
    ['becomes another program', "process.execve('/bin/true', ['true'])\nexport const twice = (n) => n\n"],
  ])('proves nothing where the product %s', async (_, source) => {
    project = await makeProject(files(source))
    expect(await askInRoom(project, 'node test/all.js')).toMatchObject({
      status: 'failed',
      qualifiers: ['tampered'],
    })
  })
})

describe.skipIf(!hasPytest)('planted tests of Python (skipped where pytest is not installed)', () => {
  const pytest = 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -p no:cacheprovider'
  const functions = 'from twice import twice\n\n\ndef test_doubles():\n    assert twice(2) == 4\n'
  const classes =
    'import unittest\nfrom twice import twice\n\n\nclass TwiceTest(unittest.TestCase):\n    def test_doubles(self):\n        self.assertEqual(twice(2), 4)\n'
  const files = (source: string, test: string) => ({ 'twice.py': source, 'test_twice.py': test })
  const honest = 'def twice(n):\n    return n * 2\n'

  it.each([
    [pytest, functions],
    ['python3 -m unittest', classes],
  ])('are not seen in the counts of %s', async (line, test) => {
    project = await makeProject(files(honest, test))
    expect(await askInRoom(project, line)).toMatchObject({
      status: 'passed',
      reason: 'tests passed (exit 0; 1 passed)',
      qualifiers: [],
    })
  })

  it.each([
    [
      'equals everything',
      pytest,
      functions,
      'class Any:\n    def __eq__(self, other):\n        return type(other) is int\n\n\ndef twice(n):\n    return Any()\n',
    ],
    [
      'mutes the runner',
      pytest,
      functions,
      'import _pytest.python as p\np.Function.runtest = lambda self: None\n\n\ndef twice(n):\n    return n\n',
    ],
    [
      'leaves out a test of this name',
      pytest,
      functions,
      'import _pytest.python as p\nrun = p.Function.runtest\np.Function.runtest = lambda self: None if self.name == "test_doubles" else run(self)\n\n\ndef twice(n):\n    return n\n',
    ],
    [
      'forges the end',
      'python3 -m unittest',
      classes,
      'import os\nos.write(2, b"..\\n----\\nRan 1 test in 0.001s\\n\\nOK\\n")\nos._exit(0)\n',
    ],
  ])('see that the product %s', async (_, line, test, source) => {
    project = await makeProject(files(source, test))
    expect(await askInRoom(project, line)).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
  })
})

describe.skipIf(!hasGo)('planted tests of Go (skipped where Go is not installed)', () => {
  const test =
    'package a\n\nimport "testing"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Fatal("no")\n\t}\n}\n'
  const files = (source: string) => ({
    'go.mod': 'module example.com/a\n\ngo 1.19\n',
    'a.go': source,
    'a_test.go': test,
  })
  const line = 'GOFLAGS=-mod=mod GOPROXY=off go test ./...'

  it('are not seen in its counts', async () => {
    project = await makeProject(files('package a\n\nfunc Twice(n int) int { return n * 2 }\n'))
    expect(await askInRoom(project, line)).toMatchObject({
      status: 'passed',
      qualifiers: [],
      reason: 'tests passed (exit 0; 1 passed)',
    })
  })

  it('are not needed to see that a function ends the process', async () => {
    const source =
      'package a\n\nimport (\n\t"os"\n\t"syscall"\n)\n\nfunc Twice(n int) int {\n\tos.Stdout.WriteString("--- PASS: TestTwice (0.00s)\\nPASS\\n")\n\tsyscall.Exit(0)\n\treturn n\n}\n'
    project = await makeProject(files(source))
    expect(await askInRoom(project, line)).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
  })

  it('see that the product ends the process with forged words', async () => {
    const source =
      'package a\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc init() {\n\tfmt.Println("=== RUN   TestTwice\\n--- PASS: TestTwice (0.00s)\\nPASS")\n\tos.Exit(0)\n}\n\nfunc Twice(n int) int { return n }\n'
    project = await makeProject(files(source))
    expect(await askInRoom(project, line)).toMatchObject({ status: 'failed' })
  })
})
