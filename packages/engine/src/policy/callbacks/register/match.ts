/** Which occasions a hook is for. */
import type { HookInputs } from '../../../ports/callbacks.ts'

/** One name, as a user has written it. */
export interface NamePattern {
  readonly shown: string
  /** To look for names that are near. */
  readonly bare: string
  test(name: string): boolean
}

export type Matcher =
  | { readonly kind: 'every' }
  | { readonly kind: 'names'; readonly patterns: readonly NamePattern[] }
  /** A function of the call; it may throw, and answer anything. */
  | { readonly kind: 'predicate'; test(input: unknown): unknown }

export type AnyInput = HookInputs[keyof HookInputs]

/**
 * Names are no paths: `*` stands for any characters, all others for themselves. The text as it stands always matches too.
 * A regular expression is used without its memory of the last match.
 */
export function namePattern(pattern: string | RegExp): NamePattern {
  if (typeof pattern === 'string') {
    const pieces = pattern.split('*').map(literally)
    const whole = new RegExp(`^${pieces.join('.*')}$`, 'su')
    return { shown: `"${pattern}"`, bare: pattern, test: (name) => name === pattern || whole.test(name) }
  }
  const expression = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''))
  return { shown: String(pattern), bare: pattern.source, test: (name) => expression.test(name) }
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** The names that take part in an occasion: of a tool, or of verifiers. */
function namesIn(input: AnyInput): readonly string[] {
  if ('tool' in input) return [input.tool]
  if ('verifiers' in input) return input.verifiers
  if ('verdict' in input) return [input.verdict.verifier]
  return 'verdicts' in input ? input.verdicts.map(({ verifier }) => verifier) : []
}

/**
 * @param copy makes what a predicate is given
 * @throws whatever the predicate throws, and where it does not answer with yes or no
 */
export function matches(matcher: Matcher, input: AnyInput, copy: () => unknown): boolean {
  switch (matcher.kind) {
    case 'every':
      return true
    case 'names':
      return namesIn(input).some((name) => matcher.patterns.some((pattern) => pattern.test(name)))
    case 'predicate': {
      const answer = matcher.test(copy())
      if (typeof answer === 'boolean') return answer
      throw new TypeError(`its matcher answered with ${typeof answer} and not with a boolean`)
    }
  }
}
