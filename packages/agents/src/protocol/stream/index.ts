export { cliAgentKeys, streamedAgent, type CliAgentOptions } from './streamed-agent.ts'
export type {
  AgentCall,
  AgentFinding,
  AgentSignal,
  AgentTurn,
  CallAnswer,
  LookedAt,
  TurnEnded,
  TurnStart,
} from './agent-signal.ts'
export { boundText, previewOf } from './turn-in-flight.ts'
export {
  startJsonLines,
  waitForEnd,
  type JsonLinesProcess,
  type LinesEnd,
  type JsonLine,
} from './json-lines.ts'
export {
  configurationFailure,
  failedTurn,
  failureInText,
  networkFailure,
  providerFailure,
} from './failures.ts'
export { RpcPeer, type RpcCall, type RpcReply } from './rpc-peer.ts'
