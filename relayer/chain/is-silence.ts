import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'

/** The code of a revert, and words of nodes for a failed call. */
const REVERTED = 3
const CALL_FAILED =
  /revert|out ?of ?gas|opcode|invalid jump|stack ?(under|over)flow|write protection|bad instruction|evm error/i

/**
 * True if a call failed because no node answered it, or because a node reported its own failure. Examples: a rate limit, a
 * missing state, a batch that is too large. False for a call that reverts or returns nothing that its ABI decodes: that is
 * the contract's answer.
 */
export const isSilence = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => isNoAnswer(cause)) !== null

function isNoAnswer(cause: unknown): boolean {
  if (cause instanceof HttpRequestError || cause instanceof TimeoutError) return true
  return cause instanceof RpcRequestError && cause.code !== REVERTED && !CALL_FAILED.test(cause.details)
}
