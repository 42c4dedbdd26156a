/** Everything that labels an end or a turn, and the words of other systems beside it. */
import type { CapName, ContinueReason, DetectorName, RefusalLabel } from '../../events/index.ts'
import { capLabels, type CapLabel } from './caps.ts'
import { detectorMeanings } from './detectors.ts'
import { endLabels, type EndLabel } from './ends.ts'
import { refusalMeanings } from './refusals.ts'
import { turnMeanings } from './turns.ts'
import { adkLoopLab } from './systems/adk-loop-lab.ts'
import { agentClientProtocol } from './systems/agent-client-protocol.ts'
import { aiSdk } from './systems/ai-sdk.ts'
import { claudeCode } from './systems/claude-code.ts'
import { codex } from './systems/codex.ts'
import { geminiCli } from './systems/gemini-cli.ts'
import { hermes } from './systems/hermes.ts'
import { inCommonUse } from './systems/in-common-use.ts'
import { langGraph } from './systems/langgraph.ts'
import { loopEngineer } from './systems/loop-engineer.ts'
import { openclaw } from './systems/openclaw.ts'
import { openHands } from './systems/openhands.ts'
import { openTelemetry } from './systems/opentelemetry.ts'
import { ralphLoopAgent } from './systems/ralph-loop-agent.ts'
import { ralphOrchestrator } from './systems/ralph-orchestrator.ts'
import type { ForeignSystem } from './vocabulary.ts'

export interface Labels {
  readonly ends: readonly EndLabel[]
  readonly turns: Readonly<Record<ContinueReason, string>>
  readonly caps: Readonly<Record<CapName, CapLabel>>
  readonly detectors: Readonly<Record<DetectorName, string>>
  /** Of calls of tools that were not run. */
  readonly refusals: Readonly<Record<RefusalLabel, string>>
  /** Open conventions first, then agents, then libraries and runners of loops. */
  readonly systems: readonly ForeignSystem[]
}

export const labels: Labels = {
  ends: endLabels,
  turns: turnMeanings,
  caps: capLabels,
  detectors: detectorMeanings,
  refusals: refusalMeanings,
  systems: [
    agentClientProtocol,
    openTelemetry,
    claudeCode,
    codex,
    geminiCli,
    openclaw,
    hermes,
    openHands,
    langGraph,
    aiSdk,
    adkLoopLab,
    ralphOrchestrator,
    ralphLoopAgent,
    loopEngineer,
    inCommonUse,
  ],
}
