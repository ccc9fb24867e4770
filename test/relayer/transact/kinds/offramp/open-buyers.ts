import type { Hash } from 'viem'
import { deriveAccounts } from '../../../../../relayer/devnet/accounts.ts'
import { provePayment, takeDeposit } from '../../../../../relayer/devnet/cash/buy-deposit.ts'
import { connectCashChain } from '../../../../../relayer/devnet/cash/cash-chain.ts'
import type { BridgedChain } from '../swap/cross-chain/open-bridged-chains.ts'

/** Buyers at the escrow of a chain, each of whom holds one part of a deposit at a time. */
export async function openBuyers({ payer: { chain } }: BridgedChain) {
  const { buyers, curator, witness } = deriveAccounts()
  const { chainId, rpcUrl, cash } = chain
  const connected = connectCashChain(
    { chainId, rpcUrl, ...cash },
    buyers.map(({ privateKey }) => privateKey),
  )
  const keys = { curatorKey: curator.privateKey, witnessKey: witness.privateKey }
  await connected.fundBuyers()
  return {
    /** A buyer locks so much of a deposit. */
    take: (depositId: bigint, amount: bigint) => takeDeposit(connected, keys, { depositId, amount }),
    /** The buyer proves that all of it was paid. */
    prove: (intentHash: Hash) => provePayment(connected, keys, { intentHash }),
    /** The chain's clock moves beyond the time that buyers have. */
    async expire(depositId: bigint): Promise<void> {
      const last = await connected.readLastExpiry(depositId)
      if (last !== null) await connected.passTime(last + 1)
    },
  }
}
