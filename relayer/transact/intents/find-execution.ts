import {
  BaseError,
  HttpRequestError,
  RpcRequestError,
  type Address,
  type GetContractEventsReturnType,
  type Hash,
  type PublicClient,
  decodeFunctionData,
  isAddressEqual,
  parseAbi,
  type Hex,
} from 'viem'
import { listClients } from '../../chain/broadcast/list-nodes.ts'
import { orchestratorAbi } from './intent-abi.ts'
import { findOutcome, readOutcomes, type IntentOutcome } from './intent-outcome.ts'
import { type Intent, decodeIntent } from './intent.ts'

/** The transaction that used up an intent's nonce, sent by us or by another. */
export interface FoundExecution {
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
): Promise<FoundExecution | null> {
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

const accountAbi = parseAbi(['function getNonce(uint192 seqKey) view returns (uint256)'])

/** Calls that the transaction which used up an intent's nonce made in its name. */
export type Called =
  /** The signed calls. */
  | 'signed'
  /** Other calls, which the owner of the address signed with the same nonce. */
  | 'other'
  /** The transaction calls another contract first, so its calldata proves nothing. */
  | 'unknown'

/**
 * Compares the calls of a transaction that used up an intent's nonce with the signed ones. The Orchestrator's event has
 * only the nonce, which its owner can use for any calls.
 * @throws BaseError when the node does not know the transaction.
 */
export async function readCalled(
  client: PublicClient,
  orchestrators: readonly Address[],
  { eoa, intentNonce, encoded }: { eoa: Address; intentNonce: bigint; encoded: Hex },
  hash: Hash,
): Promise<Called> {
  const { to, input } = await client.getTransaction({ hash })
  if (!to || !orchestrators.some((one) => isAddressEqual(one, to))) return 'unknown'
  const { executionData } = decodeIntent(encoded)
  const ofNonce = readBatch(input).filter(
    (intent) => isAddressEqual(intent.eoa, eoa) && intent.intentNonce === intentNonce,
  )
  if (ofNonce.length === 0) return 'unknown'
  const count = ofNonce.filter((intent) => intent.executionData === executionData).length
  if (count === 0) return 'other'
  return count === ofNonce.length ? 'signed' : 'unknown'
}

/** Decodes the intents of calldata for the Orchestrator; none for other calldata. */
function readBatch(data: Hex): Intent[] {
  try {
    const { functionName, args } = decodeFunctionData({ abi: orchestratorAbi, data })
    return functionName === 'execute' ? [args[0]].flat().map(decodeIntent) : []
  } catch {
    return []
  }
}

/**
 * True if the account no longer accepts a nonce as of a block. False if the address does not run the account contract.
 */
export const isNonceUsed = (
  client: PublicClient,
  { eoa, intentNonce }: { eoa: Address; intentNonce: bigint },
  blockNumber: bigint,
): Promise<boolean> =>
  client
    .readContract({
      address: eoa,
      abi: accountAbi,
      functionName: 'getNonce',
      args: [intentNonce >> 64n],
      blockNumber,
    })
    // The address may run any code: a failed read proves nothing.
    .then((next) => next > intentNonce)
    .catch(() => false)
