import type { RunningSubmissions } from './start-submissions.ts'
import type { SubmissionWorld } from './start-submission-world.ts'

/** Saves the signers' balances. @returns A function that restores them. */
export async function rememberBalances({ ask, signers }: SubmissionWorld): Promise<() => Promise<void>> {
  const balances = await Promise.all(signers.map((address) => ask('eth_getBalance', address, 'latest')))
  return async () => {
    for (const [index, address] of signers.entries()) await ask('anvil_setBalance', address, balances[index])
  }
}

/** Empties the signers and waits until the service has noticed. @returns A function that restores their balances. */
export async function emptySigners(
  world: SubmissionWorld,
  service: RunningSubmissions,
): Promise<() => Promise<void>> {
  const giveBack = await rememberBalances(world)
  for (const address of world.signers) await world.ask('anvil_setBalance', address, '0x0')
  await world.blocks.mine()
  await world.until(
    async () => service.broadcast.signers(),
    (signers) => signers.every(({ balance }) => balance === 0n),
  )
  return giveBack
}
