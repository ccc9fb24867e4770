import { parseAbi, type Hash } from 'viem'
import { deriveAccounts } from '../../../../devnet/accounts.ts'
import { provePayment, takeDeposit } from '../../../../devnet/cash/buy-deposit.ts'
import { connectCashChain } from '../../../../devnet/cash/cash-chain.ts'
import type { BridgedChain } from '../swap/cross-chain/open-bridged-chains.ts'

const addingAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function addFunds(uint256 depositId, uint256 amount)',
])

/** Buyers at the escrow of a chain; each holds one part of a deposit at a time. */
export async function openBuyers({ dollar, payer: { chain } }: BridgedChain) {
  const { buyers, curator, witness } = deriveAccounts()
  const { chainId, rpcUrl, cash } = chain
  const connected = connectCashChain(
    { chainId, rpcUrl, ...cash },
    buyers.map(({ privateKey }) => privateKey),
  )
  const keys = { curatorKey: curator.privateKey, witnessKey: witness.privateKey }
  await connected.fundBuyers()
  return {
    /** A buyer locks this amount of a deposit. */
    take: (depositId: bigint, amount: bigint) => takeDeposit(connected, keys, { depositId, amount }),
    /** The buyer proves that all of it was paid. */
    prove: (intentHash: Hash) => provePayment(connected, keys, { intentHash }),
    /** Adds dollars to a deposit as a stranger. */
    async addFunds(depositId: bigint, amount: bigint): Promise<void> {
      const [stranger] = connected.buyers
      if (!stranger) throw new Error('there is nobody')
      const { escrow } = connected
      const run = (address: typeof escrow, functionName: string, args: readonly unknown[]) =>
        connected.send(stranger, { address, abi: addingAbi, functionName, args })
      await run(dollar, 'mint', [stranger, amount])
      await run(dollar, 'approve', [escrow, amount])
      await run(escrow, 'addFunds', [depositId, amount])
    },
    /** The chain's clock moves beyond the time that buyers have. */
    async expire(depositId: bigint): Promise<void> {
      const last = await connected.readLastExpiry(depositId)
      if (last !== null) await connected.passTime(last + 1)
    },
  }
}
