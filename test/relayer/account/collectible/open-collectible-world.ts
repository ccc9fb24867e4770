import { readFileSync } from 'node:fs'
import { erc721Abi, getContractAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { computeAddresses } from '../../../devnet/deploy/devnet-addresses.ts'
import { openPayer } from '../../../harness/chain-actors.ts'
import { compileSolidity } from '../../../harness/compile-solidity.ts'
import { startSendingService } from '../../transact/quotes/start-sending-service.ts'
import { openHolder, type Holder } from './open-holder.ts'

export const CHAIN = 31_337
export const { collectible } = computeAddresses(deriveAccounts().deployer.address, CHAIN)
/** The first contract that this account will create. */
export const liarOwner = deriveAccounts().clients[6]!
export const liar = getContractAddress({ from: liarOwner.address, nonce: 0n })
/** The contracts of collectible-parties.sol. */
export const parties = compileSolidity(
  { 'parties.sol': readFileSync(new URL('collectible-parties.sol', import.meta.url), 'utf8') },
  { evmVersion: 'paris' },
)

/** `feeWaiver` of balances. */
export const NONE = { active: false, source: null, activeUntil: null }
export const WAIVED = { active: true, source: 'collectible', activeUntil: null }

export const somebody = () => privateKeyToAddress(generatePrivateKey())

export type CollectibleWorld = Awaited<ReturnType<typeof openCollectibleWorld>>

/** A service that knows the devnet's collectible, and one whose contract lies. */
export async function openCollectibleWorld() {
  const service = await startSendingService({
    collectibles: [
      { chainId: CHAIN, contract: collectible, imageUrl: 'https://pictures.example/{tokenId}.png' },
      { chainId: CHAIN, contract: liar, symbol: 'LIAR' },
    ],
  })
  const payer = await openPayer(service, 5)
  const { reader, sender } = payer.wallet
  let lastId = 100n
  return {
    service,
    payer,
    /** Unminted numbers; the next nine are unminted too. */
    newId: () => (lastId += 10n),
    openHolder: () => openHolder(service, payer),
    ownerOf: (id: bigint) =>
      reader.readContract({ address: collectible, abi: erc721Abi, functionName: 'ownerOf', args: [id] }),
    waiverOf: async (holder: Holder) => (await holder.get<{ feeWaiver: unknown }>('/balance')).body.feeWaiver,
    sumOf: (table: 'gas_lost' | 'gas_at_risk') =>
      service.database.pool.oneFirst(sql.type(z.object({ gas: z.bigint() }))`
        select coalesce(sum(gas), 0) as gas from ${sql.identifier([table])}`),
    /** @returns The address of a `Recipient`. */
    async deployRecipient(mode: number, accomplice: Address): Promise<Address> {
      const { abi, bytecode } = parties['Recipient']!
      const hash = await sender.deployContract({ abi, bytecode, args: [mode, accomplice] })
      const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
      return contractAddress!
    },
  }
}
