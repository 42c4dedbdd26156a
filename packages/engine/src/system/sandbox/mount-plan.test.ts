import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bubblewrapWords } from './bubblewrap.ts'
import { isWithin, mountPlan, type Ground } from './mount-plan.ts'

const bare: Ground = {
  temporaryFolders: ['/tmp'],
  ...{
    doors: ['/run'],
    shown: [],
    secrets: [],
    writable: [],
    workFolder: '/home/a/work',
    fixed: [],
    denied: [],
  },
}

function planOf(changes: Partial<Ground>): readonly string[] {
  return mountPlan({ ...bare, ...changes }).map(({ path, kind }) => `${kind} ${path}`)
}

describe('given a work folder and what lies around it', () => {
  it('what leads to a protected file cannot be renamed: every folder on the way is a mount', () => {
    expect(planOf({ fixed: ['/home/a/work/x/y/check.sh'] })).toEqual([
      ...['temporary /tmp', 'empty /run', 'writable /home/a/work', 'writable /home/a/work/x'],
      ...['writable /home/a/work/x/y', 'read-only /home/a/work/x/y/check.sh'],
    ])
  })

  it('a work folder in a hidden one is shown, and a secret in the work folder is hidden', () => {
    const secrets = [
      { path: '/home/a', isFolder: true },
      { path: '/home/a/work/.npmrc', isFolder: false },
    ]
    expect(planOf({ secrets })).toEqual([
      ...[
        'temporary /tmp',
        'empty /run',
        'empty /home/a',
        'writable /home/a/work',
        'denied /home/a/work/.npmrc',
      ],
    ])
  })

  it('a folder that somebody named to work in is not hidden, and what they named to deny is', () => {
    const here = [{ path: '/home/a/work', isFolder: true }]
    expect(planOf({ secrets: here })).toContain('writable /home/a/work')
    expect(planOf({ denied: here })).toContain('empty /home/a/work')
  })

  const path = fc
    .array(fc.constantFrom('a', 'b', 'work', 'tmp'), { minLength: 1, maxLength: 5 })
    .map((parts) => `/${parts.join('/')}`)
  const paths = fc.array(path, { maxLength: 4 })
  const places = fc.array(fc.record({ path, isFolder: fc.boolean() }), { maxLength: 4 })
  const ground = fc.record({
    ...{ workFolder: path, temporaryFolders: paths, doors: paths, shown: paths, writable: paths },
    ...{ fixed: paths, secrets: places, denied: places },
  })

  test.prop([ground], { numRuns: 500 })('outer mounts come before inner ones, each path once', (any) => {
    const plan = mountPlan(any)
    expect(new Set(plan.map((mount) => mount.path)).size).toBe(plan.length)
    for (const [index, { path: outer }] of plan.entries())
      expect(
        plan.slice(0, index).filter((earlier) => earlier.path !== outer && isWithin(outer, earlier.path)),
      ).toEqual([])
  })

  test.prop([ground], { numRuns: 500 })(
    'what is denied is never shown, and what is fixed never writable',
    (any) => {
      const plan = mountPlan(any)
      for (const { path: denied } of any.denied) {
        const nearest = plan.filter((mount) => isWithin(mount.path, denied)).at(-1)
        expect(['empty', 'denied', 'temporary', 'given-temporary']).toContain(nearest?.kind)
      }
      for (const fixed of any.fixed) {
        const own = plan.find((mount) => mount.path === fixed)
        expect(['writable', 'temporary']).not.toContain(own?.kind)
      }
    },
  )
})

describe('given the mounts', () => {
  const command = { program: '/usr/bin/bwrap', network: 'off' as const, disablesNamespaces: true, links: [] }

  it('the command line begins with a read-only root and ends with the words', () => {
    const words = bubblewrapWords({
      ...command,
      mounts: mountPlan(bare),
      folder: '/home/a/work',
      words: ['sh', '-c', '--x'],
    })
    expect(words.join(' ')).toMatch(
      /--ro-bind \/ \/ --dev \/dev --proc \/proc .* --remount-ro \/run --remount-ro \/proc --chdir \/home\/a\/work -- sh -c --x$/,
    )
    expect(words).toContain('--unshare-net')
  })

  it('with the network, in a work folder that is the root, and with an older program', () => {
    const mounts = mountPlan({ ...bare, workFolder: '/' })
    const words = bubblewrapWords({
      ...command,
      network: 'on',
      disablesNamespaces: false,
      mounts,
      folder: '/',
      words: ['x'],
    })
    expect(words.join(' ')).toContain(' --bind / / --dev /dev ')
    expect(words).not.toContain('--unshare-net')
    expect(words).not.toContain('--disable-userns')
  })
})
