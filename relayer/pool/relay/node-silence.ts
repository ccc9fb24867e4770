import {
  BaseError,
  ContractFunctionRevertedError,
  HttpRequestError,
  RpcRequestError,
  TimeoutError,
} from 'viem'
import { TaskError } from '../../../proving/task-result.ts'
import { PriceUnavailableError } from '../../market/prices/price-native.ts'
import { stalePools } from './find-pool.ts'

const NO_ANSWER = [HttpRequestError, TimeoutError, RpcRequestError]

/** True if an error means that no node of a chain gave a usable answer. */
export function isMissingAnswer(error: unknown): boolean {
  if (error instanceof TaskError) return error.code === 'unavailable'
  if (error instanceof PriceUnavailableError) return true
  if (!(error instanceof BaseError)) return false
  if (error.walk((cause) => cause instanceof ContractFunctionRevertedError)) return false
  // These requests are always well formed: a node that rejects one lags behind or is faulty.
  return error.walk((cause) => NO_ANSWER.some((kind) => cause instanceof kind)) !== null
}

/** Waits for an answer of a chain's nodes. Without one, throws `unavailable` (503) instead of an internal error. */
export async function orPoolsRefreshing<T>(chainId: number, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw isMissingAnswer(error) ? stalePools(chainId, error) : error
  }
}
