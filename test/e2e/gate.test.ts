/** What an agent tries that it should not, with everything as it is by default, and the legal patch that ends the run. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { calls } from './model-server.ts'
import { mends, patches, shell, shop, tell, writes, type CallEnd, type Step, type Story } from './gate-run.ts'

const noTerminal =
  'nobody can be asked, for there is no terminal and the run was started without --yes or DONECHECK_ASK=page'

interface Attempt {
  readonly name: string
  readonly step: Step
  readonly by: 'gate' | 'approver' | 'schema'
  readonly label: string
  /** What the model is told, in this order. */
  readonly told: readonly string[]
  /** Absent: the tool itself has refused it, and the gate was not asked. */
  readonly decided?: 'prompt' | 'forbidden'
  /** Absent: it was no rule. */
  readonly rule?: {
    readonly rule: string
    readonly words: readonly string[]
    readonly span: readonly number[] | null
  }
}

const push = ['git', 'push', '--force', 'origin', 'main']

const attempts: readonly Attempt[] = [
  {
    name: 'removes a folder by force',
    step: shell('rm -rf src'),
    ...{ by: 'approver', label: 'dangerous_command', decided: 'prompt' },
    rule: { rule: 'built-in: forced removal', words: ['rm', '-rf', 'src'], span: [0, 10] },
    told: [
      '`rm -rf src` requires approval: forced removal',
      'remove single files, or leave them',
      noTerminal,
    ],
  },
  {
    name: 'hides a forced push in a shell of a shell',
    step: shell(`cd src && env A=1 sh -c '${push.join(' ')}'`),
    ...{ by: 'approver', label: 'dangerous_command', decided: 'prompt' },
    rule: { rule: 'built-in: forced push', words: push, span: null },
    told: [`\`${push.join(' ')}\` requires approval: forced push`, 'push without force', noTerminal],
  },
  {
    name: 'writes a file beside the work folder',
    step: writes('../x.txt', 'x\n'),
    ...{ by: 'schema', label: 'outside_work_folder' },
    told: ['the path "../x.txt" is outside of the work folder'],
  },
  {
    name: 'patches a file beside the work folder',
    step: patches('*** Add File: ../x.txt', '+x'),
    ...{ by: 'schema', label: 'outside_work_folder' },
    told: ['nothing was written: line 2 of the patch: the path "../x.txt" has a .. part'],
  },
  {
    name: 'writes a file at the root by a redirection',
    step: shell('echo x > /donecheck-outside'),
    ...{ by: 'approver', label: 'outside_work_folder', decided: 'prompt' },
    told: ['`/donecheck-outside` is outside of the work folder', noTerminal],
  },
  {
    name: 'lets the check leave tests out',
    step: patches('*** Update File: Makefile', '-\tnode --test', '+\tnode --test --test-name-pattern adds'),
    ...{ by: 'gate', label: 'protected_file', decided: 'forbidden' },
    told: ['Makefile:2: `node --test --test-name-pattern adds` runs only a part of the tests'],
  },
  {
    name: 'gives itself a rule',
    step: writes('.donecheck/rules/mine.rules', 'prefix_rule(pattern=["rm"])\n'),
    ...{ by: 'gate', label: 'protected_file', decided: 'forbidden' },
    told: ['`.donecheck/rules/mine.rules` belongs to donecheck'],
  },
  {
    name: 'runs what only the shell will know',
    step: shell('rm $leftovers'),
    ...{ by: 'approver', label: 'opaque_command', decided: 'prompt' },
    told: ['it cannot be told what this would run: "$leftovers" is only known when it runs', noTerminal],
  },
  {
    name: 'makes a patch over two files of which one does not fit',
    step: patches(
      ...['*** Update File: src/price.txt', ' price', '-broken', '+fixed'],
      ...['*** Update File: src/cart.txt', ' cart', '-brocken', '+fixed'],
    ),
    ...{ by: 'schema', label: 'invalid_patch' },
    told: [
      'does not apply, and nothing was written: line 7 of the patch',
      'such as "brocken": read it again and copy them exactly',
    ],
  },
]

/** Three turns in a row in which all is refused end a run: in between the agent reads something. */
const pages = attempts.map((_, index) => [`notes/${index}.txt`, `Page ${index}.\n`] as const)
const steps = [
  ...attempts.flatMap(({ step }, index) => [step, calls('read_file', { path: `notes/${index}.txt` })]),
  mends,
]

describe('given an agent that tries what it should not, without a single flag about it', () => {
  let story: Story
  const files: Record<string, string> = {}
  beforeAll(async () => {
    story = await tell({
      steps,
      files: Object.fromEntries(pages),
      then: async ({ folder }) => {
        for (const file of ['check.sh', 'Makefile', 'src/cart.txt', 'src/price.txt', '../x.txt'])
          files[file] = await readFile(join(folder, file), 'utf8').catch(() => '(none)')
      },
    })
  })

  it.each(attempts.map((attempt, index) => ({ ...attempt, index })))(
    'an agent that $name is refused under its label and told why',
    ({ index, by, label, told, decided, rule }) => {
      const callEnd = story.statuses[index * 2]
      expect(callEnd?.refusal).toMatchObject({ by, label })
      expectInOrder(callEnd?.answer ?? '', [`Refused (${by}): `, ...told])
      if (decided === undefined) expect(callEnd?.decision).toBeUndefined()
      else expectDecided(callEnd, decided, label, rule)
    },
  )

  it('then the run goes on, and ends verified by a legal patch over two files', () => {
    expect(story.ended.stdout).toContain(
      `→ verified after ${steps.length} turns: sh check.sh passed (exit 0)`,
    )
    expect(story.ended.exitCode).toBe(0)
    expect(story.statuses.at(-1)?.trace).toContain('gate: allow · nothing speaks against it')
    expect(story.statuses.at(-1)?.refusal).toBeUndefined()
  })

  it('then on disk only the legal patch is left', () => {
    expect(files).toMatchObject({
      'src/cart.txt': 'cart\nfixed\nend\n',
      'src/price.txt': 'price\nfixed\nend\n',
    })
    expect(files['check.sh']).toContain('grep -q fixed src/cart.txt')
    expect(files['Makefile']).toBe(shop['Makefile'])
    expect(files['../x.txt']).toBe('(none)')
  })
})

function expectDecided(
  callEnd: CallEnd | undefined,
  decided: string,
  label: string,
  rule: Attempt['rule'],
): void {
  expect(callEnd?.decision).toMatchObject({ decision: decided, label })
  expect(callEnd?.trace).toContain(`gate: ${decided} (${label}) · `)
  if (rule === undefined) {
    expect(callEnd?.decision?.matches).toEqual([])
    return
  }
  expect(callEnd?.decision?.matches).toMatchObject([{ ...rule, source: 'built-in' }])
  const place = rule.span === null ? '' : ` · at ${rule.span.join('–')}`
  expect(callEnd?.trace).toContain(`${rule.rule}: prompt · ${rule.words.join(' ')}${place} · built-in`)
}

function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0
  for (const part of parts) {
    const found = text.indexOf(part, from)
    expect(found, `"${part}" in ${text}`).toBeGreaterThanOrEqual(0)
    from = found + part.length
  }
}
