export { verifiedNode, type VerifiedNode, type VerifiedNodeOptions } from './node.ts'
export { verifiedMiddleware } from './middleware.ts'
export type { VerifiedMiddleware, VerifiedMiddlewareOptions } from './middleware.ts'
export type {
  Jump,
  MessageLike,
  ModelRequestLike,
  RuntimeLike,
  StateLike,
  ToolRequestLike,
} from './session.ts'
export type { Verification } from '../../session/index.ts'
export type { ToolActs } from '../../protocol/host/index.ts'
