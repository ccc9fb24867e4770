// SPDX-License-Identifier: MIT
/** How a client checks that money came out of a pool: by the events of the transaction, read from a node of its own choice. */
import {
  getAddress,
  isAddressEqual,
  parseAbi,
  parseEventLogs,
  type Address,
  type Hash,
  type PublicClient,
} from 'viem'

const abi = parseAbi([
  'event Withdrawn(address indexed processooor, uint256 value, uint256 spentNullifier, uint256 newCommitment)',
  'event WithdrawalRelayed(address indexed relayer, address indexed recipient, address indexed asset, uint256 amount, uint256 feeAmount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** `evidence` of an entry of `outputSystemTags`. */
export interface Evidence {
  txHash: string
  transferOrLogIndex: number
  poolAddress: string
  entrypointAddress: string
  poolTransferOrLogIndex: number | null
}

/**
 * Checks that a pool paid the address.
 *
 * @param known The Entrypoint and the pools that the client believes in: any contract may emit such events.
 * @returns The amount that arrived, in the smallest unit.
 * @throws Error that names the fault.
 */
export async function checkPrivateOrigin(
  reader: Pick<PublicClient, 'getTransactionReceipt'>,
  address: Address,
  evidence: Evidence,
  known: { entrypoint: Address; pools: readonly Address[] },
): Promise<bigint> {
  const pool = getAddress(evidence.poolAddress)
  if (getAddress(evidence.entrypointAddress) !== getAddress(known.entrypoint))
    throw new Error('another Entrypoint')
  if (!known.pools.some((one) => isAddressEqual(one, pool))) throw new Error('an unknown pool')
  const { logs } = await reader.getTransactionReceipt({ hash: evidence.txHash as Hash })
  const events = parseEventLogs({ abi, logs })
  const withdrawn = events.find(({ logIndex }) => logIndex === evidence.poolTransferOrLogIndex)
  if (withdrawn?.eventName !== 'Withdrawn' || !isAddressEqual(withdrawn.address, pool))
    throw new Error('the pool says nothing of it')
  const relayed = events.find(
    (one) =>
      one.eventName === 'WithdrawalRelayed' &&
      one.logIndex > withdrawn.logIndex &&
      isAddressEqual(one.address, known.entrypoint),
  )
  if (relayed?.eventName !== 'WithdrawalRelayed' || !isAddressEqual(relayed.args.recipient, address))
    throw new Error('the Entrypoint paid somebody else')
  const arrived = relayed.args.amount - relayed.args.feeAmount
  // Native coins move without an event; only the Entrypoint's shows them.
  if (isAddressEqual(relayed.args.asset, NATIVE)) return arrived
  const moved = events.find(({ logIndex }) => logIndex === evidence.transferOrLogIndex)
  if (
    moved?.eventName !== 'Transfer' ||
    !isAddressEqual(moved.address, relayed.args.asset) ||
    !isAddressEqual(moved.args.from, known.entrypoint) ||
    !isAddressEqual(moved.args.to, address) ||
    moved.args.value !== arrived
  )
    throw new Error('the token moved otherwise')
  return arrived
}
