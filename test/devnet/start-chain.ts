import { createPublicClient, http, numberToHex, parseEther, type PublicClient } from 'viem'
import type { DevnetAccounts } from './accounts.ts'
import { startAnvil, type Anvil, type AnvilOptions } from './anvil/start-anvil.ts'
import type { ContractBuild } from './build/contract-build.ts'
import { deployContracts } from './deploy/deploy-contracts.ts'
import { computeAddresses, type DevnetAddresses } from './deploy/devnet-addresses.ts'
import { POOL_AGE_SECONDS } from './deploy/devnet-liquidity.ts'

/** As much as a chain gives to the accounts that it knows from its start, in wei. */
const RELAY_SIGNER_COINS = parseEther('10000')

/** A running local chain that holds the pools. */
export interface DevnetChain extends Anvil {
  chainId: number
  addresses: DevnetAddresses
  /** Holds the Entrypoint's first event. */
  startBlock: number
}

/** Starts one chain, or resumes it, with the pools on it. */
export async function startChain(
  options: AnvilOptions & {
    blockTimeSeconds: number
    accounts: DevnetAccounts
    loadBuild: () => Promise<ContractBuild>
  },
): Promise<DevnetChain> {
  const { accounts, settings, deterministic, blockTimeSeconds } = options
  const { chainId } = settings
  const anvil = await startAnvil({ ...options, initialAgeSeconds: POOL_AGE_SECONDS })
  try {
    const client = createPublicClient({ transport: http(anvil.rpcUrl), cacheTime: 0 })
    await fundRelaySigners(client, accounts)
    if (deterministic) await control(client, 'anvil_setBlockTimestampInterval', [1])
    const hasDeployed = await deployContracts(client, chainId, accounts, options.loadBuild)
    await setClock(client, { deterministic, hasDeployed })
    if (blockTimeSeconds > 0) await control(client, 'evm_setIntervalMining', [blockTimeSeconds])
    const addresses = computeAddresses(accounts.deployer.address, chainId)
    const startBlock = await findStartBlock(client, addresses, settings.genesisBlock)
    return { ...anvil, chainId, addresses, startBlock }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** Gives coins to the signers of relays that have none: not by a transfer, which would join them with its payer. */
async function fundRelaySigners(client: PublicClient, { relaySigners }: DevnetAccounts): Promise<void> {
  for (const { address } of relaySigners)
    if ((await client.getBalance({ address })) === 0n)
      await control(client, 'anvil_setBalance', [address, numberToHex(RELAY_SIGNER_COINS)])
}

/**
 * A chain stands at its last block's time; it continues with our clock, or second by second to be the same in every run.
 * After a deployment a block follows, which is POOL_AGE_SECONDS younger than the pools.
 */
async function setClock(
  client: PublicClient,
  { deterministic, hasDeployed }: { deterministic: boolean; hasDeployed: boolean },
): Promise<void> {
  if (deterministic && !hasDeployed) return
  const timestamp = Number((await client.getBlock()).timestamp)
  const now = Math.floor(Date.now() / 1_000)
  if (deterministic) await control(client, 'evm_setNextBlockTimestamp', [timestamp + POOL_AGE_SECONDS])
  // A chain that was moved ahead must not run backwards: the averages of its pools would break.
  else await control(client, 'evm_setTime', [Math.max(now, timestamp + 1)])
  if (hasDeployed) await control(client, 'evm_mine', [])
}

async function findStartBlock(
  client: PublicClient,
  { entrypoint }: DevnetAddresses,
  genesis: number,
): Promise<number> {
  const [first] = await client.getLogs({ address: entrypoint, fromBlock: BigInt(genesis), toBlock: 'latest' })
  if (first) return Number(first.blockNumber)
  throw new Error(
    `The devnet chain in this DATA_DIR does not begin at block ${genesis}: set DEVNET_GENESIS_BLOCKS as it was, ` +
      'or clear the chain with `npm start -- --reset`',
  )
}

/** A method of the local chain that public nodes lack. */
async function control(client: PublicClient, method: string, params: readonly unknown[]): Promise<void> {
  await client.request({ method, params } as never)
}
