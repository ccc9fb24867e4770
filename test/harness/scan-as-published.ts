import { AccountService, DataService, type Hash } from 'privacy-pools-sdk'
import type { DescribedChain } from '../devnet/devnet-description.ts'
import type { KnownPool } from '../../schema/client/pool/read-pool.ts'

/** Notes that the published SDK (1.5.0) finds unspent on the chain with the twelve words alone. @throws Error where it cannot. */
export async function scanAsPublished(
  { rpcUrl, startBlock }: Pick<DescribedChain, 'rpcUrl' | 'startBlock'>,
  { chainId, pool, scope }: KnownPool,
  mnemonic: string,
) {
  const info = { chainId, address: pool, scope: BigInt(scope) as Hash, deploymentBlock: BigInt(startBlock) }
  const data = new DataService([
    { chainId, privacyPoolAddress: pool, startBlock: info.deploymentBlock, rpcUrl },
  ])
  // Given by its words alone it also derives keys of early versions, at which the viem of this project refuses to round.
  const service = new AccountService(data, { mnemonic })
  const scanned = await AccountService.initializeWithEvents(data, { service }, [info], {
    includeEmptyNodes: false,
  })
  const [error] = scanned.errors
  if (error) throw new Error(error.reason)
  return scanned.account.getSpendableCommitments().get(info.scope) ?? []
}

/** The members that open a note, to compare the finds of several clients. */
export const openedBy = ({
  value,
  label,
  nullifier,
  secret,
}: Readonly<Record<'value' | 'label' | 'nullifier' | 'secret', bigint>>): string =>
  [value, label, nullifier, secret].map(String).join()
