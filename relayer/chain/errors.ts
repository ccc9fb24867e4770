import { defineError } from '../service-error.ts'
import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'

/** The service does not serve the chain, or lacks the requested service there. */
export const chainNotSupported = defineError({
  code: 'CHAIN_NOT_SUPPORTED',
  kind: 'bad-request',
  about: 'chainId',
  meaning: 'This service does not serve that chain. 404 where the chain is in the path.',
  retry: 'For another chain.',
  fundsState: 'Nothing was sent and nothing was locked.',
  example: 'Chain 5 is not served',
})

/** A simulation showed that the chain would refuse the transaction. */
export const simulationFailed = defineError({
  code: 'SIMULATION_FAILED',
  kind: 'bad-request',
  meaning: 'The chain would refuse the transaction.',
  retry: 'With a new quote, once the cause is gone.',
  fundsState: 'Nothing was sent. Funds that a quote has locked stay locked until it ends.',
  example: 'The chain would refuse this transfer: transfers are paused',
})

/** Failed transactions, which the service paid for, have used up their share of the hour's gas. */
export const gasBudgetUsedUp = defineError({
  code: 'GAS_BUDGET_USED_UP',
  kind: 'unavailable',
  meaning:
    'Too many transactions of this sort failed at the service’s cost within the hour: of this account, of a contract that it calls, or of all like it. Payments of listed tokens to addresses without code have a budget of their own.',
  retry: 'After `Retry-After` seconds.',
  fundsState: 'Nothing was sent. Funds that a quote has locked stay locked until it ends.',
  example: 'Too many transactions of this sort failed within the hour at our cost',
})

/** The base fee is above what the operator pays. */
export const gasPriceAboveCap = defineError({
  code: 'GAS_PRICE_ABOVE_CAP',
  kind: 'unavailable',
  meaning: 'Gas on that chain costs more than the service pays: nothing would be sent there.',
  retry: 'After `Retry-After` seconds, when gas may be cheaper.',
  fundsState:
    'Nothing was sent and nothing new was locked. What a quote has locked stays locked until the quote ends.',
  retryAfterSeconds: 60,
  example: 'Gas costs 60000000000 wei on chain 1 now; the service pays at most 50000000000',
})

/** No signer of the chain has coins for a transaction. */
export const noGasForSending = defineError({
  code: 'NO_GAS_FOR_SENDING',
  kind: 'unavailable',
  meaning:
    'The service has no coins to pay gas with on that chain: it sends nothing there, and reads still work.',
  retry: 'After `Retry-After` seconds: the operator has to fund a signer.',
  fundsState:
    'Nothing was sent and nothing new was locked. Funds that a quote has locked stay locked until it ends.',
  retryAfterSeconds: 60,
  example: 'The service has no coins for gas on chain 1 at the moment',
})

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
