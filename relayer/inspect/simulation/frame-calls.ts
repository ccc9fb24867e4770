import type { CommonQueryMethods } from 'slonik'
import { concatHex, encodeAbiParameters, encodeFunctionData, parseAbi, zeroHash, type Address } from 'viem'
import { findOwnAddresses } from '../../../db/activity/account-activity.ts'
import type { SimulateCallsJob, SimulateJob } from '../../../proving/simulate-job.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { CALLS } from '../../transact/intents/encode-calls.ts'
import type { SimulationRequest } from './simulation.ts'

/** Calls as they would reach the chain. */
export interface FramedCalls extends Pick<SimulateCallsJob, 'from' | 'calls' | 'stateOverrides'> {
  /** What contracts are told of the transaction. */
  seen: SimulateJob['seen']
  /** `from` of the request is an address of the account. */
  isOwn: boolean
  /** They are made by it through the contract that runs it. */
  isIntent: boolean
}

/** Who sends transactions on a chain, and what gas costs there; null where the service does not, or does not know yet. */
export type SenderOf = (chainId: number) => { signer: Address; gasPrice: bigint } | null

/** ERC-7821: several calls, with data about who asks for them. */
const BATCH_WITH_DATA = '0x0100000000007821000100000000000000000000000000000000000000000000'
const accountAbi = parseAbi(['function execute(bytes32 mode, bytes executionData)'])

/**
 * Frames calls as their transaction will. What an address of the account calls is sent by one of the service's signers, and
 * made by the contract that the address delegates to: the address has code, and is not the origin. Any other address is
 * simulated as one that sends by itself.
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
    // An account takes orders from its Orchestrator; the last word says that its own key gave them.
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
