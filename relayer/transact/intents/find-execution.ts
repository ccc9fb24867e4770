import {
  BaseError,
  HttpRequestError,
  RpcRequestError,
  type Address,
  type GetContractEventsReturnType,
  type Hash,
  type PublicClient,
} from 'viem'
import { listClients } from '../../chain/broadcast/list-nodes.ts'
import { orchestratorAbi } from './intent-abi.ts'
import { findOutcome, readOutcomes, type IntentOutcome } from './intent-outcome.ts'

/** The transaction that used up an intent's nonce, sent by us or by another. */
export interface IntentExecution {
  hash: Hash
  blockNumber: bigint
  /** `succeeded` or `burnt`. */
  outcome: IntentOutcome
}

/** A range of blocks. The chain is known to have the newest one. */
export interface BlockRange {
  /** Block of the intent's creation; it cannot have been executed earlier. */
  fromBlock: bigint
  toBlock: bigint
}

/**
 * Finds the transaction that executed an intent whose nonce our own transaction found used up. A copy from a
 * public mempool may have been faster, and it executes exactly the signed calls. Null if there is none.
 *
 * @throws BaseError when a node does not answer or lacks the last of the blocks.
 */
export async function findExecution(
  client: PublicClient,
  orchestrators: Address | readonly Address[],
  { eoa, intentNonce }: { eoa: Address; intentNonce: bigint },
  range: BlockRange,
): Promise<IntentExecution | null> {
  const nodes = listClients(client)
  const readFrom = async (node: PublicClient, { fromBlock, toBlock }: BlockRange): Promise<Executions> => {
    // Both queries go to one node: a node that lags omits logs silently, and does not have the last block.
    const [logs] = await Promise.all([
      node.getContractEvents({
        address: [orchestrators].flat(),
        abi: orchestratorAbi,
        eventName: 'IntentExecuted',
        args: { eoa, nonce: intentNonce },
        fromBlock,
        toBlock,
      }),
      node.getBlock({ blockNumber: toBlock }),
    ])
    return logs
  }
  const read = async (asked: BlockRange): Promise<Executions> => {
    let failure: unknown
    for (const node of nodes)
      try {
        return await readFrom(node, asked)
      } catch (error) {
        if (isRefusal(error)) throw error
        failure = error
      }
    throw failure
  }
  // An execution without effect emits an event too, with `incremented` false.
  const log = (await readInParts(read, range)).find(({ args }) => args.incremented)
  if (!log) return null
  const outcome = findOutcome(readOutcomes([log], orchestrators), { eoa, intentNonce })
  return { hash: log.transactionHash, blockNumber: log.blockNumber, outcome }
}

type Executions = GetContractEventsReturnType<typeof orchestratorAbi, 'IntentExecuted'>

/**
 * Reads the range, and halves it if it is refused. Providers limit the range of logs, and none says to how
 * many blocks.
 */
async function readInParts(
  read: (range: BlockRange) => Promise<Executions>,
  { fromBlock, toBlock }: BlockRange,
): Promise<Executions> {
  try {
    return await read({ fromBlock, toBlock })
  } catch (error) {
    if (fromBlock >= toBlock || !isRefusal(error)) throw error
    const middle = (fromBlock + toBlock) / 2n
    const older = await readInParts(read, { fromBlock, toBlock: middle })
    return [...older, ...(await readInParts(read, { fromBlock: middle + 1n, toBlock }))]
  }
}

/** True if the node refused the query; false if it gave no answer. */
const isRefusal = (error: unknown) =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof RpcRequestError ||
      (cause instanceof HttpRequestError && (cause.status === 400 || cause.status === 413)),
  ) !== null
