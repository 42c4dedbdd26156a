/** Agents of LangChain and graphs of LangGraph, with an end that nobody can talk round. */
export { verifiedMiddleware } from './middleware.ts'
export type { VerifiedMiddleware, VerifiedMiddlewareOptions } from './middleware.ts'
export { verifiedNode } from './node.ts'
export type { VerifiedNode, VerifiedNodeOptions } from './node.ts'
export type { Jump, MessageLike, ModelRequestLike, RuntimeLike, StateLike, ToolRequestLike } from './sdk.ts'
export type { Verification } from '../../ride/index.ts'
export type { ToolActs } from '../../agents/index.ts'
