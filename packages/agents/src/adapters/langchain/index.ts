export {
  verifiedNode,
  type VerifiedNode,
  type VerifiedNodeOptions,
  type Jump,
  type MessageLike,
  type ModelRequestLike,
  type RuntimeLike,
  type ToolRequestLike,
} from './session.ts'
export { verifiedMiddleware } from './middleware.ts'
export type { VerifiedMiddleware, VerifiedMiddlewareOptions } from './middleware.ts'
export type { Verification } from '../../session/index.ts'
export type { ToolActs } from '../../protocol/host/index.ts'
