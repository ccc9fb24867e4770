import {
  createTestClient,
  getAddress,
  http,
  parseAbi,
  publicActions,
  walletActions,
  type Address,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { pino } from 'pino'
import { chainConfig, type ChainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { openChain, type OpenChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { startNode, type Node } from '../../chain/broadcast/start-node.ts'
import { compileSolidity } from './compile-solidity.ts'

export interface TokenWorld {
  node: Node
  chain: OpenChain
  /** Puts a contract of HostileTokens.sol on the chain. */
  deploy(name: string, ...args: unknown[]): Promise<Address>
  /** Sends a call, by its signature. */
  call(address: Address, signature: string, ...args: unknown[]): Promise<void>
  stop(): Promise<void>
}

/** Settings of a local chain of the tests; with `assets` it has a relayer whose pools take them. */
export function configOf(url: string, { assets, ...members }: Record<string, unknown> = {}): ChainConfig {
  return chainConfig.parse({
    chainId: 31_337,
    name: 'Test chain',
    rpcUrls: [url],
    ...members,
    ...(assets !== undefined && {
      relayer: {
        entrypoint: '0x1000000000000000000000000000000000000001',
        assets,
        maxGasPrice: 1,
        signerKeys: [`0x${'11'.repeat(32)}`],
        feeReceiverKey: `0x${'22'.repeat(32)}`,
      },
    }),
  })
}

/** A bare chain on which tokens of all kinds can be put. */
export async function startTokenWorld(members: Record<string, unknown> = {}): Promise<TokenWorld> {
  const node = await startNode()
  const compiled = compileSolidity(new URL('HostileTokens.sol', import.meta.url))
  const client = createTestClient({
    mode: 'anvil',
    chain: foundry,
    transport: http(node.url),
    account: mnemonicToAccount('test test test test test test test test test test test junk'),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
  const chain = openChain(configOf(node.url, members), pino({ level: 'silent' }))
  return {
    node,
    chain,
    async deploy(name, ...args) {
      const contract = compiled[name]
      if (!contract) throw new Error(`HostileTokens.sol has no ${name}`)
      const hash = await client.deployContract({ ...contract, args })
      const { contractAddress, status } = await client.waitForTransactionReceipt({ hash })
      if (!contractAddress || status !== 'success') throw new Error(`${name} was not deployed`)
      return getAddress(contractAddress)
    },
    async call(address, signature, ...args) {
      const abi = parseAbi<readonly string[]>([`function ${signature}`])
      const functionName = signature.slice(0, signature.indexOf('('))
      const hash = await client.writeContract({ address, abi, functionName, args })
      await client.waitForTransactionReceipt({ hash })
    },
    async stop() {
      await chain.stop()
      await node.stop()
    },
  }
}
