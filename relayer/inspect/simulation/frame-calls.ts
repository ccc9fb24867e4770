import type { CommonQueryMethods } from 'slonik'
import { concatHex, encodeAbiParameters, encodeFunctionData, parseAbi, zeroHash, type Address } from 'viem'
import { findOwnAddresses } from '../../../db/activity/account-activity.ts'
import type { SimulateCallsJob, SimulateJob } from '../../../proving/simulate-job.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import type { SimulationRequest } from './simulation.ts'
import { CALLS } from '../../transact/intents/intent.ts'

/** Calls as they would reach the chain. */
export interface FramedCalls extends Pick<SimulateCallsJob, 'from' | 'calls' | 'stateOverrides'> {
  /** Origin and gas price of the transaction that contracts can read. */
  seen: SimulateJob['seen']
  /** True if `from` of the request is an address of the account. */
  isOwn: boolean
  /** True if the account's contract executes the calls. */
  isIntent: boolean
}

/**
 * Returns the service's signer on a chain, and the gas price there. Null if the service does not send on the chain,
 * or has no price yet.
 */
export type SenderOf = (chainId: number) => { signer: Address; gasPrice: bigint } | null

/** ERC-7821 mode: several calls, with data about their authorization. */
const BATCH_WITH_DATA = '0x0100000000007821000100000000000000000000000000000000000000000000'
const accountAbi = parseAbi(['function execute(bytes32 mode, bytes executionData)'])

/**
 * Frames calls as in their transaction. For an address of the account, one of the service's signers sends the
 * transaction, and the contract that the address delegates to makes the calls. So the address has code and is not the
 * origin. Any other address is simulated as the sender of its own transaction.
 */
export async function frameCalls(
  database: CommonQueryMethods,
  senderOf: SenderOf,
  chain: Chain,
  accountId: string,
  { from, calls }: SimulationRequest,
): Promise<FramedCalls> {
  const { chainId, sending } = chain.config
  const sender = senderOf(chainId)
  const seen = sender && { origin: from, gasPrice: sender.gasPrice }
  const isOwn = (await findOwnAddresses(database, accountId, [from])).has(from)
  if (!sending || !sender || !isOwn) return { from, calls, seen: seen ?? undefined, isOwn, isIntent: false }
  return {
    // An account obeys its Orchestrator; the zero key hash stands for the account's own key.
    from: sending.orchestrator,
    calls: calls.map((call) => ({
      to: from,
      value: 0n,
      data: encodeFunctionData({
        abi: accountAbi,
        functionName: 'execute',
        args: [BATCH_WITH_DATA, encodeAbiParameters([...CALLS, { type: 'bytes' }], [[call], zeroHash])],
      }),
    })),
    stateOverrides: { [from]: { code: concatHex(['0xef0100', sending.accountProxy]) } },
    seen: { origin: sender.signer, gasPrice: sender.gasPrice },
    isOwn,
    isIntent: true,
  }
}
