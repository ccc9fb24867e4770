import { createPublicClient, createWalletClient, defineChain, http, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { associationSetsAbi } from '../pool-events.ts'
import { ChainReader, type AspPool, type ChainRecord } from './read-chain.ts'
import { DepositReviewer, writeCid } from './review-deposits.ts'

/** Plain data, as it crosses the process border. */
export interface AspChainSettings {
  chainId: number
  rpcUrl: string
  startBlock: number
  entrypoint: Address
  pools: { asset: Address; symbol: string; decimals: number; pool: Address; scope: string }[]
}

/** One chain as the ASP sees it: events, approved labels, and the root that it published. */
export interface AspChain {
  readonly chainId: number
  readonly name: string
  readonly pools: readonly AspPool[]
  readonly review: DepositReviewer
  readonly record: ChainRecord
  /** Reads new events, approves deposits that are due, and publishes the root when it changed. */
  advance(): Promise<{ published: number | null }>
}

/** Opens a chain and brings it up to date, so that the first request already gets the whole answer. */
export async function openAspChain(
  settings: AspChainSettings,
  options: { postmanKey: Hex; delayMs: number; declined: readonly Address[] },
): Promise<AspChain> {
  const chain = defineChain({
    id: settings.chainId,
    name: `devnet ${settings.chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [settings.rpcUrl] } },
  })
  const transport = http(settings.rpcUrl)
  const client = createPublicClient({ chain, transport, cacheTime: 0 })
  const postman = createWalletClient({ chain, transport, account: privateKeyToAccount(options.postmanKey) })
  const pools = settings.pools.map((pool) => ({ ...pool, scope: BigInt(pool.scope) }))
  const { entrypoint } = settings
  const reader = new ChainReader({ client, entrypoint, pools, startBlock: BigInt(settings.startBlock) })
  const review = new DepositReviewer(options)
  let record = await reader.read()
  review.update(record)

  return {
    chainId: settings.chainId,
    name: chain.name,
    pools,
    review,
    get record() {
      return record
    },
    async advance() {
      record = await reader.read()
      review.update(record)
      const { root, size } = review.set
      if (root === null || root === record.roots.at(-1)?.root) return { published: null }
      const hash = await postman.writeContract({
        address: entrypoint,
        abi: associationSetsAbi,
        functionName: 'updateRoot',
        args: [root, writeCid(size)],
      })
      const { status } = await client.waitForTransactionReceipt({
        hash,
        pollingInterval: 50,
        timeout: 60_000,
      })
      if (status !== 'success') throw new Error(`publishing the ASP root failed (${hash})`)
      record = await reader.read()
      return { published: size }
    },
  }
}
