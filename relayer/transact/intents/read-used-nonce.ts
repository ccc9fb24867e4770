import {
  decodeFunctionData,
  isAddressEqual,
  parseAbi,
  type Address,
  type Hash,
  type Hex,
  type PublicClient,
} from 'viem'
import { decodeIntent } from './encode-intent.ts'
import type { Intent } from './intent.ts'
import { orchestratorAbi } from './intent-abi.ts'

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
