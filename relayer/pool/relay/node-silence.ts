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

function isSilence(error: unknown): boolean {
  if (error instanceof TaskError) return error.code === 'unavailable'
  if (error instanceof PriceUnavailableError) return true
  if (!(error instanceof BaseError)) return false
  if (error.walk((cause) => cause instanceof ContractFunctionRevertedError)) return false
  // What is asked here is always well formed: a node that refuses it is behind the others, or ill.
  return error.walk((cause) => NO_ANSWER.some((kind) => cause instanceof kind)) !== null
}

/** Waits for something that a chain's nodes are asked; when they have no answer, that is a 503 and no fault of ours. */
export async function orUnavailable<T>(chainId: number, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw isSilence(error) ? stalePools(chainId, error) : error
  }
}
