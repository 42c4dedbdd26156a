/** What an agent could try in a command, each as a row: what it runs, and what must hold afterwards. Real bubblewrap. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git, inPlace, secret, skipNote, textOf, whyNoBubblewrap } from './sandbox-place.ts'

const isSkipped = whyNoBubblewrap !== undefined

describe.skipIf(isSkipped)(`given a command that writes outside of the work folder${skipNote}`, () => {
  it.each([
    ['by its absolute path', 'echo x > "$OUT/file"'],
    ['by a path with ..', 'echo x > ../outside/file'],
    ['through a symlink to the folder', 'ln -s "$OUT" s && echo x > s/file'],
    ['through a symlink to the file', 'ln -s "$OUT/file" s && echo x > s'],
    ['through a hard link', 'ln "$OUT/file" h && echo x > h'],
    ['through /proc/self/root', 'echo x > "/proc/self/root$OUT/file"'],
    ['through /proc/1/root', 'echo x > "/proc/1/root$OUT/file"'],
    ['through /proc/self/cwd', 'echo x > /proc/self/cwd/../outside/file'],
    ['by removing it', 'rm -rf "$OUT"'],
    ['by moving it away', 'mv "$OUT/file" .'],
    ['by moving something over it', 'mv a.txt "$OUT/file"'],
    ['by moving its own folder', 'mv "$WORK" "$WORK-2" && echo moved'],
    ['by changing modes', 'chmod 777 "$OUT" "$OUT/file" ..'],
    ['by mounting over it', 'mount --bind . "$OUT" && umount "$OUT"'],
    ['by remounting', 'mount -o remount,rw / && echo x > "$OUT/file"'],
    ['in namespaces of its own', 'unshare -Urm sh -c "mount -o remount,rw,bind / && echo x > $LC_OUT/file"'],
    ['in the background', '(setsid sh -c \'echo x > "$LC_OUT/file"\' &) ; wait'],
  ])('%s: nothing has changed there', async (_, command) => {
    await inPlace(async ({ run, outside, base }) => {
      const before = modesOf(base, outside, join(outside, 'file'))
      const { end } = await run(command)
      expect(await textOf(outside, 'file')).toBe('untouched')
      expect(readdirSync(outside)).toEqual(['file'])
      expect(readdirSync(base).sort()).toEqual(['home', 'outside', 'work'])
      expect(modesOf(base, outside, join(outside, 'file'))).toEqual(before)
      if (!command.includes('&)')) expect(end).not.toEqual({ kind: 'exited', exitCode: 0 })
    })
  })

  it('what it writes to /tmp is seen by nobody', async () => {
    await inPlace(async ({ run, base }) => {
      const name = `/tmp/${base.slice(-10)}`
      expect((await run(`echo x > ${name} && cat ${name}; ls /tmp`)).output).toBe(`x\n${base.slice(-10)}\n`)
      expect(existsSync(name)).toBe(false)
    })
  })
})

function modesOf(...paths: readonly string[]): readonly number[] {
  return paths.map((path) => statSync(path).mode)
}

describe.skipIf(isSkipped)(`given a command that reads what is denied${skipNote}`, () => {
  it.each([
    ['directly', 'cat ~/.ssh/id_rsa ~/.npmrc'],
    ['by listing', 'ls -a ~/.ssh; cat ~/.ssh/*'],
    ['through a symlink', 'ln -s ~/.ssh s; cat s/id_rsa'],
    ['through a hard link', 'ln ~/.npmrc h; cat h'],
    ['by copying it', 'cp -r ~ copy; cat copy/.ssh/id_rsa copy/.npmrc'],
    ['by changing its mode', 'chmod 777 ~/.npmrc; cat ~/.npmrc'],
    ['through /proc/self/root', 'cat "/proc/self/root$HOME/.npmrc" "/proc/self/root$HOME/.ssh/id_rsa"'],
    ['through /proc/1/root', 'cat "/proc/1/root$HOME/.npmrc"; cat "/proc/1/cwd/../home/.npmrc"'],
    [
      'through open files of others',
      // Not one after another, and not into a pipe that is open too: to read some of them would never end.
      'for file in /proc/[0-9]*/fd/*; do timeout 2 cat "$file" >> seen 2>&1 & done; wait; cat seen',
    ],
    ['in the environment of others', 'cat /proc/[0-9]*/environ | tr "\\0" "\\n"'],
    ['in the environment', 'env; export -p; cat /proc/self/environ /proc/1/environ'],
    ['by unmounting what hides it', 'umount ~/.ssh ~/.npmrc; umount -l ~/.ssh; cat ~/.ssh/id_rsa ~/.npmrc'],
    ['in namespaces of its own', 'unshare -Urm sh -c "umount ~/.ssh; cat ~/.ssh/id_rsa"'],
    ['by an old root', 'cat /oldroot$HOME/.npmrc; cat /newroot$HOME/.npmrc; chroot / cat ~/.npmrc'],
    ['with node', "\"$NODE\" -p \"require('fs').readFileSync(process.env.HOME+'/.npmrc','utf8')\""],
    ['given in the options', 'cat "$OUT/file"'],
  ])('%s: it learns nothing', async (_, command) => {
    await inPlace(async ({ run, runBare, bystander, outside }) => {
      await bystander()
      await writeFile(join(outside, 'file'), secret)
      const { output } = await run(command, { deniedPaths: [join(outside, 'file')] })
      expect(output).not.toContain(secret)
      if (/^(cat ~|env)/.test(command)) expect((await runBare(command)).output).toContain(secret)
    })
  })

  it('a secret that comes to lie in the work folder can be denied too', async () => {
    await inPlace(async ({ run, work }) => {
      await writeFile(join(work, '.env'), secret)
      const { output } = await run('cat .env; mv .env e; cat e; ln .env h; cat h', { deniedPaths: ['.env'] })
      expect(output).not.toContain(secret)
      expect(await textOf(work, '.env')).toBe(secret)
    })
  })
})

describe.skipIf(isSkipped)(`given a command that wants to talk to somebody${skipNote}`, () => {
  it.each([
    ['the loopback', "host:'127.0.0.1',port:PORT", () => ({ port: 0, host: '127.0.0.1' })],
    [
      'a socket that is a file',
      "path:process.env.LC_OUT+'/socket'",
      (out: string) => ({ path: `${out}/socket` }),
    ],
    ['an abstract socket', "path:'\\0donecheck-escape'", () => ({ path: '\0donecheck-escape' })],
  ])('%s answers outside of the sandbox, and not inside', async (_, options, placeIn) => {
    await inPlace(async ({ run, runBare, outside, work }) => {
      const server = await listening(placeIn(outside))
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const script = `require('net').connect({${options.replace('PORT', String(port))}}).on('data',d=>console.log(String(d))).on('error',e=>console.log(e.code))`
      await writeFile(join(work, 'talk.cjs'), script)
      try {
        expect((await runBare('"$NODE" talk.cjs')).output).toBe('hello\n')
        expect((await run('"$NODE" talk.cjs')).output).toMatch(/^(ECONNREFUSED|EACCES|ENOENT|ENETUNREACH)\n$/)
      } finally {
        server.close()
      }
    })
  })

  it('with the network on the loopback answers, and sockets that are files do not', async () => {
    await inPlace(async ({ run, outside, work }) => {
      const server = await listening({ path: join(outside, 'socket') })
      await writeFile(
        join(work, 'talk.cjs'),
        `require('net').connect(process.env.LC_OUT+'/socket').on('error',e=>console.log(e.code))`,
      )
      try {
        expect((await run('"$NODE" talk.cjs', { network: 'on' })).output).toMatch(/^E[A-Z]+\n$/)
      } finally {
        server.close()
      }
    })
  })
})

interface Listening {
  readonly path?: string
  readonly port?: number
  readonly host?: string
}

function listening(options: Listening): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).end('hello'))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...options }, () => resolve(server))
  })
}

describe.skipIf(isSkipped)(
  `given a command that reaches for other processes and the machine${skipNote}`,
  () => {
    it('sees, signals and traces none of them', async () => {
      await inPlace(async ({ run, bystander }) => {
        const { pid } = await bystander()
        const { output } = await run(`kill -9 ${pid ?? 0}; kill -0 -1 && ls -d /proc/[0-9]* | wc -l`)
        expect(output).not.toMatch(/^[1-9]\d/m)
        expect(isAlive(pid)).toBe(true)
      })
    })

    it.each([
      ['settings of the kernel', '(exec 3<>/proc/sys/kernel/core_pattern)'],
      ['what the kernel starts by itself', '(exec 3<>/sys/kernel/uevent_helper)'],
      ['namespaces of its own', 'unshare -U true'],
      ['a mount', 'mount -t tmpfs none . && umount .'],
      ['the terminal', '(exec 3<>/dev/tty)'],
      ['the memory of the machine', 'head -c 1 /dev/mem'],
      ['its messages', 'head -c 1 /dev/kmsg'],
      ['a device of its own', 'mknod d b 254 0 && head -c 1 d'],
      ['its name', 'hostname "$(cat /proc/sys/kernel/hostname)"'],
    ])('%s is out of reach', async (_, command) => {
      await inPlace(async ({ run }) => {
        const { end } = await run(command)
        expect(end).not.toEqual({ kind: 'exited', exitCode: 0 })
      })
    })

    it('has no capability, a session of its own, and no disk', async () => {
      await inPlace(async ({ run }) => {
        const { output } = await run('grep CapEff /proc/self/status; cut -d" " -f6 /proc/self/stat; ls /dev')
        expect(output).toMatch(/^CapEff:\t0{16}\n[1-9]\d*\n/)
        expect(output).not.toMatch(/^(sd|vd|nvme|mem|kmsg|loop|fuse|kvm)/m)
      })
    })

    it.each([
      ['in the background', 'sleep TOKEN &'],
      ['in a session of its own', 'setsid sleep TOKEN &'],
      ['that ignores hang-ups', 'nohup sleep TOKEN >/dev/null 2>&1 &'],
      ['started by one that has ended', '(setsid sh -c "(sleep TOKEN &) &" &)'],
    ])('a process %s is dead afterwards', async (_, command) => {
      await inPlace(async ({ run, base }) => {
        const token = `98765.${String(statSync(base).ino)}`
        const { output } = await run(
          `${command.replace('TOKEN', token)}\nuntil cat /proc/[0-9]*/cmdline 2>/dev/null | grep -qa ${token}; do :; done; echo up`,
        )
        expect(output).toBe('up\n')
        while (isRunning(token)) await new Promise((resolve) => setImmediate(resolve))
      })
    })
  },
)

function isAlive(id: number | undefined): boolean {
  return id !== undefined && existsSync(`/proc/${id}`)
}

function isRunning(token: string): boolean {
  return readdirSync('/proc').some((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').startsWith(`sleep\0${token}`)
    } catch {
      return false
    }
  })
}

describe.skipIf(isSkipped)(`given a command that prepares what others will run${skipNote}`, () => {
  it.each([
    ['a hook', 'printf "#!/bin/sh\\n" > .git/hooks/pre-commit'],
    ['a program in the configuration', 'git config core.fsmonitor ./evil'],
    ['another configuration', 'rm .git/config; printf "[core]\\n" > .git/config'],
    ['a repository in the place of this one', 'mv .git old && cp -r old .git && echo x > .git/config'],
    [
      'a way around the configuration',
      'mkdir evil && cp -r .git/. evil/ && echo x > evil/config && echo ../evil > .git/commondir',
    ],
  ])('%s does not come into being', async (_, command) => {
    await inPlace(async ({ run, work }) => {
      git(work, 'init', '--quiet')
      const before = await textOf(work, '.git/config')
      await run(command)
      expect(await textOf(work, '.git/config')).toBe(before)
      expect(existsSync(join(work, '.git/hooks/pre-commit'))).toBe(false)
      expect(existsSync(join(work, '.git/commondir'))).toBe(false)
      expect(git(work, 'rev-parse', '--git-common-dir')).toBe('.git\n')
    })
  })

  it.each([
    ['written', 'echo exit 0 > scripts/deep/check.sh'],
    ['replaced', 'echo exit 0 > n && mv n scripts/deep/check.sh'],
    ['removed', 'rm -f scripts/deep/check.sh'],
    [
      'moved away with its folder',
      'mv scripts old && mkdir -p scripts/deep && echo exit 0 > scripts/deep/check.sh',
    ],
    ['moved away with the folder in between', 'mv scripts/deep scripts/old'],
    ['made to be something else', 'ln -sf /bin/true scripts/deep/check.sh'],
    ['given another mode', 'chmod 000 scripts/deep/check.sh'],
  ])('the script of a check cannot be %s', async (_, command) => {
    await inPlace(async ({ run, work }) => {
      await mkdir(join(work, 'other'))
      const { end } = await run(command, { protectedPaths: ['scripts/deep/check.sh', 'not/there'] })
      expect(end).not.toEqual({ kind: 'exited', exitCode: 0 })
      expect(await textOf(work, 'scripts/deep/check.sh')).toBe('exit 1\n')
    })
  })
})
