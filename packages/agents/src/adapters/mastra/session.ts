/** An execution of Mastra, recorded in a hosted session as it goes on. */
import type { HostAnswer, HostCall, HostResult } from '../../protocol/host/index.ts'
import { SdkSession } from '../../session/index.ts'
import { callOf, replyOf } from './translate.ts'

export class MastraSession extends SdkSession {
  readonly #approved = new Set<string>()
  readonly #looked = new Set<string>()
  /** Of the last reply, until its step has ended. */
  #calls: readonly HostCall[] = []
  #steps = 0

  get steps(): number {
    return this.#steps
  }

  /** A reply of the model, before its calls run. */
  async recordModelReply(step: unknown): Promise<void> {
    const reply = replyOf(step, this.acts)
    await this.recordReply(reply)
    this.#calls = reply.calls
    this.#steps += 1
  }

  override stepEnded(): Promise<readonly string[]> {
    this.#calls = []
    return super.stepEnded()
  }

  /** Before a call runs. Asked once, however often Mastra wants to know. */
  proposeToolCall(callId: string, tool: string, input: unknown): Promise<HostAnswer> {
    return this.proposeCall(callOf(callId, tool, input, this.acts))
  }

  /** Mastra asks for an approval by name and arguments alone: the call of the last reply that it has not yet asked for. */
  callIdOf(tool: string, input: unknown): string | undefined {
    const { args } = callOf('', tool, input, this.acts)
    const words = JSON.stringify(args)
    const found = this.#calls.find(
      (call) => call.tool === tool && JSON.stringify(call.args) === words && !this.#looked.has(call.callId),
    )
    if (found !== undefined) this.#looked.add(found.callId)
    return found?.callId
  }

  /** A person has said yes, by Mastra's own way. */
  approve(callId: string): void {
    this.#approved.add(callId)
  }

  isApproved(callId: string): boolean {
    return this.#approved.has(callId)
  }

  ran(callId: string, tool: string, input: unknown, result: HostResult): void {
    this.recordResult(callOf(callId, tool, input, this.acts), result)
  }
}
