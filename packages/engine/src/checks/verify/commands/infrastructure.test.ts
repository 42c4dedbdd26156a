import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextOf } from '../texts/fixtures/ask.ts'
import { command } from './command.ts'
import { infrastructureCause } from './trouble.ts'

describe('given an end that is not an answer', () => {
  it.each([
    [137, /SIGKILL.*memory.*137/],
    [143, /SIGTERM.*143/],
  ])('names the cause of exit code %i', (exitCode, cause) => {
    expect(infrastructureCause(exitCode, '')).toMatch(cause)
  })
})

describe('given an end that is the work’s own', () => {
  it.each([1, 2, 125, 128, 130, 134, 139, 255])('says nothing of exit code %i', (exitCode) => {
    expect(infrastructureCause(exitCode, '1 test failed')).toBeUndefined()
  })
})

describe('given a line that ends with 0', () => {
  it('is a pass, whatever it printed', async () => {
    const context = contextOf({ workFolder: tmpdir() })
    const line = `node -e "console.log('sh: 1: vitest: not found')"`
    const report = await command(line, { tests: 'off' }).verify(context, new AbortController().signal)
    expect(report.status).toBe('passed')
  })
})

describe('given the last words of tools', () => {
  it.each([
    ['npm', '> demo@1.0.0 test\n> vitest run\n\nsh: 1: vitest: not found', /not found; install/],
    ['bash', '/bin/sh: line 1: jest: command not found', /not found; install/],
    ['yarn', 'bash: jest: command not found\nerror Command failed with exit code 127.', /not found; install/],
    ['make', 'make: vitest: No such file or directory\nmake: *** [Makefile:2: test] Error 127', /not found/],
    ['a shell', 'sh: 1: ./check.sh: Permission denied', /may not be executed/],
    ['dash', 'line: 1: set: Illegal option -o pipefail', /does not know "pipefail".*bash/],
    ['npm', 'npm error code ENOSPC\nnpm error syscall write\nnpm error errno -28', /disk is full/],
    ['gcc', 'cc1: error: /tmp/x.s: No space left on device', /disk is full/],
    ['pytest', 'OSError: [Errno 28] No space left on device', /disk is full/],
    [
      'node',
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n----- Native stack trace -----',
      /memory/,
    ],
    ['bash', 'bash: fork: Cannot allocate memory', /memory/],
    [
      'node',
      "Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle\n  code: 'EADDRINUSE',\n  port: 3000",
      /port/,
    ],
    ['python', 'OSError: [Errno 98] Address already in use', /port/],
    ['go', 'panic: listen tcp :8080: bind: address already in use', /port/],
    ['vite', 'Error: Port 5173 is already in use', /port/],
    ['npm', 'npm error code EAI_AGAIN\nnpm error syscall getaddrinfo', /network/],
    ['npm', 'npm error code ENOTFOUND\nnpm error network request to https://example.test failed', /network/],
    ['curl', 'curl: (6) Could not resolve host: example.test', /network/],
    [
      'go',
      'go: example.test/x@v1.0.0: Get "https://example.test": dial tcp: lookup example.test: no such host',
      /network/,
    ],
    [
      'maven',
      '[ERROR] Failed to execute goal on project x: Could not resolve dependencies for project y',
      /network/,
    ],
    [
      'npx',
      'npm error npx canceled due to missing packages and no YES option: ["vitest@5.1.0"]',
      /not installed/,
    ],
    [
      'pnpm',
      ' WARN  Local package.json exists, but node_modules missing, did you mean to install?',
      /not installed/,
    ],
    ['python', '/usr/bin/python3: No module named pytest', /not installed/],
    ['bundler', 'bundler: command not found: rspec', /not installed/],
    ['cargo', 'error: no such command: `clippy`', /not installed/],
    [
      'docker',
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      /Docker/,
    ],
    ['a coloured npm', '\u001b[31mnpm error\u001b[0m code ENOSPC', /disk/],
  ])('names the cause that %s tells', (_, output, cause) => {
    expect(infrastructureCause(1, output)).toMatch(cause)
  })
})

describe('given words of the work', () => {
  it.each([
    ['a refused connection of a test', 'AssertionError: connect ECONNREFUSED 127.0.0.1:5432\n1 failed'],
    ['a refused connection of its own', 'Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap'],
    ['an expected text', "AssertionError: expected 'getaddrinfo ENOTFOUND db' to equal 'ok'"],
    ['a module that its code lacks', "Error: Cannot find module './sum.js'"],
    ['a Python module that its code lacks', "ModuleNotFoundError: No module named 'shop.cart'"],
    ['a segmentation fault', 'Segmentation fault (core dumped)'],
    ['a word in the middle', 'expected "not found" in the page'],
  ])('says nothing of %s', (_, output) => {
    expect(infrastructureCause(1, output)).toBeUndefined()
  })

  it('says nothing of trouble that was followed by much else', () => {
    const output = `sh: 1: optional-tool: not found\n${'ran a test\n'.repeat(40)}1 failed`
    expect(infrastructureCause(1, output)).toBeUndefined()
  })

  it('never says more than one sentence of bounded length', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.string({ maxLength: 2_000 }), (exitCode, output) => {
        const cause = infrastructureCause(exitCode, `${output}\nnpm error code ENOSPC ${output}`) ?? ''
        expect(cause.length).toBeLessThan(400)
      }),
    )
  })
})
