import { BaseError, HttpRequestError, TimeoutError } from 'viem'

/**
 * Whether a call failed because no node answered it. False for a call that reverts or returns nothing that its ABI
 * decodes: that is the contract's answer.
 */
export const isSilence = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null
