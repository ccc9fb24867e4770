import {
  encodeAbiParameters,
  keccak256,
  parseAbiParameters,
  parseEventLogs,
  zeroHash,
  type Address,
  type Hash,
  type TransactionReceipt,
} from 'viem'
import { deriveAccounts } from '../../../../../devnet/accounts.ts'
import { connectWallet } from '../../../../../devnet/wallet/connect-wallet.ts'
import type { Payer } from '../../../../../harness/chain-actors.ts'
import { send, spokePool, type AcrossOnChain, type DepositedRelay } from './fill-deposits.ts'

const REFUND_LEAF = parseAbiParameters(
  '(uint256 amountToReturn, uint256 chainId, uint256[] refundAmounts, uint32 leafId, address l2TokenAddress, address[] refundAddresses)',
)
const SLOW_LEAF = parseAbiParameters(
  '((bytes32 depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 originChainId, uint256 depositId, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message) relayData, uint256 chainId, uint256 updatedOutputAmount)',
)

/** A payment back to depositors of one chain. */
export interface RefundPayment {
  depositor: Address
  token: Address
  /** Smallest unit. */
  amount: bigint
}

/** Refunds expired deposits of a depositor in one sum, as the owner of the SpokePool does for Across. */
export async function refund(
  payer: Payer,
  across: AcrossOnChain,
  { depositor, token, amount }: RefundPayment,
): Promise<Hash> {
  const leaf = {
    amountToReturn: 0n,
    chainId: BigInt(payer.chain.chainId),
    refundAmounts: [amount],
    leafId: 0,
    l2TokenAddress: token,
    refundAddresses: [depositor],
  }
  const root = keccak256(encodeAbiParameters(REFUND_LEAF, [leaf]))
  const { transactionHash } = await execute(payer, across, {
    roots: [root, zeroHash],
    call: (bundle) => ({ functionName: 'executeRelayerRefundLeaf', args: [bundle, leaf, []] }),
  })
  return transactionHash
}

/** Requests a slow fill of a deposit, by the SpokePool itself. */
export const requestSlowFill = (payer: Payer, { spokePool: address }: AcrossOnChain, relay: DepositedRelay) =>
  send(payer, { address, abi: spokePool.abi, functionName: 'requestSlowFill', args: [relay] })

/** Executes a requested slow fill from the SpokePool's own funds, with `updatedOutput` of the bridged token. */
export function fillSlowly(
  payer: Payer,
  across: AcrossOnChain,
  { relay, updatedOutput }: { relay: DepositedRelay; updatedOutput: bigint },
): Promise<TransactionReceipt> {
  const leaf = {
    relayData: relay,
    chainId: BigInt(payer.chain.chainId),
    updatedOutputAmount: updatedOutput,
  }
  const root = keccak256(encodeAbiParameters(SLOW_LEAF, [leaf]))
  return execute(payer, across, {
    roots: [zeroHash, root],
    call: (bundle) => ({ functionName: 'executeSlowRelayLeaf', args: [leaf, bundle, []] }),
  })
}

/** Lets the owner relay the roots of a bundle, and executes one of its leaves. */
async function execute(
  payer: Payer,
  { spokePool: address }: AcrossOnChain,
  {
    roots,
    call,
  }: {
    /** Of refunds, and of slow fills. */
    roots: readonly [Hash, Hash]
    call(bundle: number): { functionName: string; args: readonly unknown[] }
  },
): Promise<TransactionReceipt> {
  const { abi } = spokePool
  const owner = { wallet: connectWallet(payer.chain, deriveAccounts().filler.privateKey) }
  const { logs } = await send(owner, { address, abi, functionName: 'relayRootBundle', args: roots })
  const [event] = parseEventLogs({ abi, logs, eventName: 'RelayedRootBundle' })
  if (!event) throw new Error('no bundle was relayed')
  const { rootBundleId } = event.args as unknown as { rootBundleId: number }
  return send(owner, { address, abi, ...call(rootBundleId) })
}
