/** Sources for the shell and for awk that ask whether they are tested. */
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

export function scriptTraces(path: string, text: string): readonly Trace[] {
  const kind = kindOf(path, text)
  if (kind === undefined) return []
  const fitting = patterns.filter((pattern) => pattern.kind === kind)
  return text.split('\n').flatMap((whole, index): readonly Trace[] => {
    const line = /^\s*#/u.test(whole) ? '' : whole.slice(0, maxLine)
    return fitting.flatMap((pattern): readonly Trace[] => {
      const found = pattern.text.exec(line)
      return found === null ? [] : [{ rule: 'source.test-aware', line: index + 1, text: found[0] }]
    })
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
