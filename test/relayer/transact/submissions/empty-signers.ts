import { toHex } from 'viem'
import type { RunningSubmissions } from './start-submissions.ts'
import type { SubmissionWorld } from './start-submission-world.ts'

/** Saves the signers' balances. @returns A function that restores them. */
export async function rememberBalances({ ask, signers }: SubmissionWorld): Promise<() => Promise<void>> {
  const balances = await Promise.all(signers.map((address) => ask('eth_getBalance', address, 'latest')))
  return async () => {
    for (const [index, address] of signers.entries()) await ask('anvil_setBalance', address, balances[index])
  }
}

/** For a service whose signers are to be emptied: their remaining coins count as one transaction, and pay for none of ours. */
export const THRIFTY = { gasPerTransaction: 21_000 }

/**
 * Empties the signers down to a transfer's gas, and waits until the service has noticed. The service, which must be {@link
 * THRIFTY}, then accepts payments that it cannot send. @returns A function that restores their balances.
 */
export async function emptySigners(
  world: SubmissionWorld,
  service: RunningSubmissions,
): Promise<() => Promise<void>> {
  const giveBack = await rememberBalances(world)
  const { baseFeePerGas } = await world.reader.getBlock()
  const left = 21_000n * 2n * ((baseFeePerGas ?? 0n) + (await world.reader.estimateMaxPriorityFeePerGas()))
  for (const address of world.signers) await world.ask('anvil_setBalance', address, toHex(left))
  await world.blocks.mine()
  await world.until(
    async () => service.broadcast.signers(),
    (signers) => signers.every(({ duty, balance }) => duty === 'relays' || balance === left),
  )
  return giveBack
}
