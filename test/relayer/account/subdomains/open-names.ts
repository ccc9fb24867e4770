import {
  createTestClient,
  defineChain,
  http,
  namehash,
  parseAbi,
  publicActions,
  walletActions,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { OFFCHAIN_NAME } from '../../../devnet/deploy/devnet-names.ts'
import { loadPublishedContracts } from '../../../devnet/deploy/published-contracts.ts'
import { readDescription } from '../../../devnet/devnet-description.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { at } from '../../../vectors/relay-story.ts'

const registryAbi = parseAbi(['function setResolver(bytes32 node, address resolver)'])

/**
 * Points the devnet's parent name at a service (by its GET gateway unless another is given). Returns a client that
 * knows only the devnet's universal resolver, and nothing of the service.
 */
export async function openNames(service: TestService, gateway = `${service.url}/ccip/{sender}/{data}.json`) {
  const chain = at((await readDescription(service.dataDir)).chains, 0)
  const accounts = deriveAccounts()
  const connect = (universalResolver?: Address) =>
    createTestClient({
      mode: 'anvil',
      account: privateKeyToAccount(accounts.deployer.privateKey),
      chain: defineChain({
        id: chain.chainId,
        name: 'devnet',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [chain.rpcUrl] } },
        ...(universalResolver && { contracts: { ensUniversalResolver: { address: universalResolver } } }),
      }),
      transport: http(),
      pollingInterval: 20,
    })
      .extend(publicActions)
      .extend(walletActions)
  const deployer = connect()
  const deploy = async ({ abi, bytecode }: { abi: Abi; bytecode: Hex }, args: readonly unknown[]) => {
    const hash = await deployer.deployContract({ abi, bytecode, args })
    const { contractAddress } = await deployer.waitForTransactionReceipt({ hash })
    return contractAddress!
  }
  const { registry, universalResolver } = chain.names
  const { OffchainResolver } = await loadPublishedContracts()
  const resolver = await deploy(OffchainResolver, [gateway, [accounts.nameSigner.address]])
  const hash = await deployer.writeContract({
    address: registry,
    abi: registryAbi,
    functionName: 'setResolver',
    args: [namehash(OFFCHAIN_NAME), resolver],
  })
  await deployer.waitForTransactionReceipt({ hash })
  return { resolver, wallet: connect(universalResolver) }
}
