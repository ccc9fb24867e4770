import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Address, Hex } from 'viem'

const address = z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value))
const token = z.object({ address, symbol: z.string(), decimals: z.number() })
const privateKey = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value))

/** Content of DATA_DIR/devnet.json: all that a client needs to use the devnet. Scopes are decimal strings. */
const devnetDescription = z.object({
  chains: z
    .array(
      z.object({
        chainId: z.number(),
        rpcUrl: z.string(),
        /** Holds the Entrypoint's first event. */
        startBlock: z.number(),
        entrypoint: address,
        pools: z.array(
          z.object({
            asset: address,
            symbol: z.string(),
            decimals: z.number(),
            pool: address,
            scope: z.string(),
          }),
        ),
        tokens: z.array(token),
        /** Sending: the intents' contracts. */
        intents: z.object({
          orchestrator: address,
          accountProxy: address,
          accountImplementation: address,
          simulator: address,
        }),
        /** The name service; the offchain resolver answers by CCIP-Read, and wallets ask the universal one. */
        names: z.object({
          registry: address,
          resolver: address,
          offchainResolver: address,
          universalResolver: address,
        }),
        sanctionsOracle: address,
        /** An ERC-721 that anybody may mint. */
        collectible: address,
        /** Uniswap: SwapRouter02, QuoterV2, the factories, and the contract that holds positions of v3. */
        uniswap: z.object({
          router: address,
          quoter: address,
          v2Factory: address,
          v3Factory: address,
          positions: address,
        }),
        /** Across: the SpokePool, and the contract that runs the messages of deposits. */
        across: z.object({ spokePool: address, multicallHandler: address }),
        /** The contracts of cash-outs: the escrow, the orchestrator of its buyers, the price feed. */
        cash: z.object({ escrow: address, orchestrator: address, rates: address }),
        wrappedNative: address,
        /** Burns 3 % of every transfer. */
        taxedToken: token,
        /** Refuses to replace an allowance that is not zero, as USDT does. */
        strictToken: token,
        /** Rich in native coins and test tokens, and not used by the service itself. */
        accounts: z.array(z.object({ address, privateKey })),
      }),
    )
    .min(1),
  /** Null where the devnet runs without an ASP. */
  asp: z.object({ url: z.string() }).nullable(),
  /** The process that fills deposits of Across and takes commands; null without one. */
  across: z.object({ url: z.string() }).nullable(),
  /** Buyers, curator and witness of cash-outs, which take commands; null without buyers. */
  cash: z.object({ url: z.string() }).nullable(),
})

/** The content of devnet.json after parsing. */
export type DevnetDescription = z.output<typeof devnetDescription>
/** A chain of devnet.json. */
export type DescribedChain = DevnetDescription['chains'][number]
/** A pool of devnet.json. */
export type DescribedPool = DescribedChain['pools'][number]

/** The file of a data folder's devnet description. */
export const descriptionFile = (dataDir: string): string => join(dataDir, 'devnet.json')

/** Replaces the description as a whole: a reader sees the old one or the new one. */
export async function writeDescription(file: string, description: DevnetDescription): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`
  await writeFile(draft, `${JSON.stringify(description, null, 2)}\n`)
  await rename(draft, file)
}

/** @throws Error (ENOENT) where no devnet has been started in that folder. */
export async function readDescription(dataDir: string): Promise<DevnetDescription> {
  return devnetDescription.parse(JSON.parse(await readFile(descriptionFile(dataDir), 'utf8')))
}
