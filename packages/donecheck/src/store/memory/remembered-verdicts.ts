import type { Verdict } from '../../events/index.ts'
import type { RememberedVerdicts, VerifierYield } from '../../ports.ts'
import type { Attempt } from '../attempt.ts'
import {
  assertVerdict,
  byVerifier,
  counted,
  maxRemembered,
  verdictOfText,
  verdictText,
} from '../verdict-text.ts'

export function memoryRememberedVerdicts(attempt: Attempt): RememberedVerdicts {
  /** Texts, oldest first: whoever changes a verdict that was given or taken changes nothing here. */
  const texts = new Map<string, string>()
  const yields = new Map<string, VerifierYield>()

  function remember(key: string, verdict: Verdict): void {
    assertVerdict(verdict)
    texts.delete(key)
    texts.set(key, verdictText(verdict))
    for (const oldest of texts.keys()) {
      if (texts.size <= maxRemembered) return
      texts.delete(oldest)
    }
  }

  function recall(key: string): Verdict | undefined {
    const text = texts.get(key)
    return text === undefined ? undefined : verdictOfText(text)
  }

  function learn(verdict: Verdict): void {
    assertVerdict(verdict)
    yields.set(verdict.verifier, counted(yields.get(verdict.verifier), verdict))
  }

  return {
    remember: (key, verdict) => attempt(() => remember(key, verdict)),
    recall: (key) => attempt(() => recall(key)),
    learn: (verdict) => attempt(() => learn(verdict)),
    yields: () => attempt(() => [...yields.values()].sort(byVerifier)),
  }
}
