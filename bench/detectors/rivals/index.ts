/** The rivals, each re-implemented from its description, and the real one that can be loaded. */
import type { Detector } from '../detector.ts'
import { cline, clineWithMistakes } from './cline.ts'
import { geminiAsShipped, geminiFirstHit } from './gemini-cli.ts'
import { hermes } from './hermes.ts'
import { opencode } from './opencode.ts'
import { openClaw2026 } from '../openclaw/openclaw-2026-9.ts'
import { openClawClassic } from '../openclaw/openclaw-classic.ts'
import { openHands } from './openhands.ts'
import { qwenAll, qwenDefault } from './qwen-code.ts'
import { roo, sameCallThreeTimes } from './same-call-three-times.ts'

export const rivals: readonly Detector[] = [
  geminiFirstHit,
  geminiAsShipped,
  openHands,
  qwenDefault,
  qwenAll,
  hermes,
  cline,
  clineWithMistakes,
  opencode,
  roo,
  sameCallThreeTimes,
  openClawClassic,
  openClaw2026,
]

/** The real ones, outside of the list because they may be absent. */
export { realOpenClaw, realOpenClawClassic } from '../openclaw/real.ts'
