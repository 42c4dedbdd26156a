/** The judge of replies is asked, and a reply is handed on. */
export { judgeReply } from './judge-reply.ts'
export { brokenOffDelivery, settleReply } from './settle-reply.ts'
