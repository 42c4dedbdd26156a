/** Who is measured: ours, and what people write instead. */
import { fileURLToPath } from 'node:url'
import type { Subject } from '@donecheck/conformance'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const donecheck = `'${process.execPath}' '${pathOf('../../packages/donecheck/bin/donecheck.js')}'`
const hook = `sh '${pathOf('claude-code.sh')}' ${donecheck}`
const ours =
  'run --yes --until "$CHECK" --agent "$AGENT" --max-turns "$MAX_TURNS" --verify-timeout "$CHECK_SECONDS"'

/** `shown`: the command as somebody would type it. */
export const subjects: readonly {
  readonly name: string
  readonly shown: string
  readonly subject: Subject
}[] = [
  {
    name: 'donecheck run',
    shown: `donecheck ${ours} --json "$TASK"`,
    subject: { kind: 'loop', command: `${donecheck} ${ours} --json "$TASK"`, resultLine: true },
  },
  loop('naive loop', '"$AGENT" "$TASK"'),
  loop(
    'bounded shell loop',
    'for i in $(seq "$MAX_TURNS"); do "$AGENT" "$TASK"; timeout "$CHECK_SECONDS" sh -c "$CHECK" && exit 0; done; exit 1',
  ),
  {
    name: 'plain Stop hook',
    shown: 'sh -c "$CHECK" >&2 || exit 2',
    subject: { kind: 'stop-hook', command: 'sh -c "$CHECK" >&2 || exit 2' },
  },
  {
    name: 'Stop hook of donecheck',
    shown: 'donecheck install claude-code --until "$CHECK"',
    subject: {
      ...{ kind: 'stop-hook', command: hook, start: hook },
      confirm: `${hook} confirm`,
    },
  },
  {
    name: 'gate: bare check',
    shown: 'sh -c "$CHECK"',
    subject: { kind: 'ci-check', command: 'sh -c "$CHECK"' },
  },
  {
    name: 'gate: donecheck verify',
    shown: 'donecheck verify --until "$CHECK" --baseline HEAD --verify-timeout "$CHECK_SECONDS"',
    subject: {
      kind: 'ci-check',
      command: `${donecheck} verify --until "$CHECK" --baseline HEAD --verify-timeout "$CHECK_SECONDS"`,
    },
  },
]

function loop(name: string, command: string) {
  return { name, shown: command, subject: { kind: 'loop', command } as const }
}
