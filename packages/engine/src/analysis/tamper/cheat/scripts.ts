/** Sources for the shell and for awk that ask whether they are tested, or redefine the words that tests are made of. */
import type { Trace } from './trace.ts'

type Kind = 'shell' | 'awk'

interface Pattern {
  readonly kind: Kind
  /** On one line that is no comment. */
  readonly text: RegExp
}

/** Makefiles are left out: `ifeq ($(MAKELEVEL),0)` is the usual way to tell an inner make. */
const patterns: readonly Pattern[] = [
  { kind: 'shell', text: /\/proc\/\$(?:PPID\b|\{PPID\}|\(ps\b[^)]*\))\/?(?:\w+)?/u },
  {
    kind: 'shell',
    // To find out which shell a person uses, `ps -p $PPID` is usual as well: it needs a word of tests.
    text: /\bps\b[^|;&]{0,80}\$\{?PPID\b.{0,120}(?:\btests?\b|[_.-]tests?\b|\btests?[_./-]|\bbats\b|\bmake\b|\bcheck\b)/u,
  },
  { kind: 'shell', text: /\$\{?(?:MAKELEVEL|BATS_\w+)\b/u },
  { kind: 'awk', text: /\bENVIRON\s*\[\s*"MAKELEVEL"\s*\]|"MAKELEVEL"\s*\)?\s*in\s+ENVIRON\b/u },
  {
    kind: 'awk',
    text: /\bFILENAME\s*(?:!?~|[!=]=)\s*(?:\/(?:\\.|[^/\\])*|"[^"]*)(?:tests?|cases?|spec|fixtures?|expected)\b|\b(?:index|match)\s*\(\s*FILENAME\s*,\s*["/][^"]*(?:tests?|cases?|spec|fixtures?|expected)\b/u,
  },
]

/** A function or an alias with the name of a command by which tests compare and end. */
const redefinition =
  /(?:^|[;&|{]|\bthen\b|\bdo\b)\s*(?:(?:function\s+)?(?:test|\[|diff|cmp|e?grep|expr|false|true|exit|return)\s*\(\s*\)|function\s+(?:test|\[|diff|cmp|e?grep|expr|false|true|exit|return)(?=[\s{]|$)|alias\s+(?:test|\[|diff|cmp|expr|false|true|exit|return)=)/u
/** A script whose functions are its own commands (`./run test`) ends with a call of what it was asked for. */
const dispatches = /^(?:"\$\{?[@1*][^"]*"|\$\{?[@1*]|case\s+"?\$\{?1\b)/mu

export function scriptTraces(path: string, text: string): readonly Trace[] {
  const kind = kindOf(path, text)
  if (kind === undefined) return []
  const fitting = patterns.filter((pattern) => pattern.kind === kind)
  const redefines = kind === 'shell' && !dispatches.test(text)
  return text.split('\n').flatMap((whole, index): readonly Trace[] => {
    const line = /^\s*#/u.test(whole) ? '' : whole.slice(0, maxLine)
    const redefined = redefines ? redefinition.exec(line)?.[0].trim() : undefined
    return [
      ...fitting.flatMap((pattern): readonly Trace[] => {
        const found = pattern.text.exec(line)
        return found === null ? [] : [{ rule: 'source.test-aware', line: index + 1, text: found[0] }]
      }),
      ...(redefined === undefined
        ? []
        : [{ rule: 'source.patches-runner', line: index + 1, text: redefined } as const]),
    ]
  })
}

/** Longer lines were written by no person. Characters. */
const maxLine = 4096

function kindOf(path: string, text: string): Kind | undefined {
  if (path.endsWith('.awk')) return 'awk'
  if (/\.(?:sh|bash|zsh|ksh|dash)$/u.test(path)) return 'shell'
  const first = /^#!.*/u.exec(text)?.[0] ?? ''
  if (/\b[gmn]?awk\b/u.test(first)) return 'awk'
  return /\b(?:ba|z|k|da)?sh\b/u.test(first) ? 'shell' : undefined
}
