import { openAsBlob } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Prover } from '@fatsolutions/privacy-pools-core-circuits'
import { createPPv1Broadcaster, createPPv1Plugin, OxBowAspService } from '@kohaku-eth/privacy-pools'
import { viem } from '@kohaku-eth/provider/viem'
import { HDKey } from '@scure/bip32'
import { buildBn128 } from 'ffjavascript'
import { bytesToHex, type Hex, type PublicClient } from 'viem'
import type { DescribedChain } from '../devnet/devnet-description.ts'

type PublishedProver = Awaited<ReturnType<typeof Prover>>

/** Path of a circuit's file inside the package that the library proves with. */
export const publishedCircuitFile = (name: string): string =>
  fileURLToPath(import.meta.resolve(`@fatsolutions/privacy-pools-core-circuits/artifacts/${name}`))

/** The library's own prover. It downloads its circuits' files, so they are given as addresses that need no network. */
export async function startPublishedProver(): Promise<PublishedProver> {
  const urls: string[] = []
  const publish = async (name: string) => {
    const url = URL.createObjectURL(await openAsBlob(publishedCircuitFile(name)))
    urls.push(url)
    return url
  }
  const publishAll = async (circuit: string) => ({
    wasm: await publish(`${circuit}.wasm`),
    vkey: await publish(`${circuit}.vkey`),
    zkey: await publish(`${circuit}.zkey`),
  })
  try {
    return await Prover({
      baseUrl: 'blob:',
      withdraw: await publishAll('withdraw'),
      commitment: await publishAll('commitment'),
    })
  } finally {
    for (const url of urls) URL.revokeObjectURL(url)
  }
}

/** Ends the threads that the prover shares with everything that proves by snarkjs in this process. */
export const stopPublishedProver = async (): Promise<void> => (await buildBn128()).terminate()

/**
 * The wallet of Privacy Pools that `@kohaku-eth/privacy-pools` is, with keys of its own. It reads the chain, asks the
 * ASP and the relayer, and stores its finds in memory.
 */
export function openPublishedWallet({
  chain,
  reader,
  seed,
  aspUrl,
  relayerUrl,
  prover,
}: {
  chain: Pick<DescribedChain, 'entrypoint' | 'startBlock'>
  reader: PublicClient
  seed: Uint8Array
  aspUrl: string
  relayerUrl: string
  prover: PublishedProver
}) {
  const kept = new Map<string, string>()
  const master = HDKey.fromMasterSeed(seed)
  const network = { fetch: (...request: Parameters<typeof fetch>) => fetch(...request) }
  const host = {
    network,
    storage: {
      _brand: 'Storage',
      get: (key: string) => kept.get(key) ?? null,
      set: (key: string, value: string) => void kept.set(key, value),
    },
    keystore: {
      deriveAt(path: string): Hex {
        const { privateKey } = master.derive(path)
        if (!privateKey) throw new Error(`no key at ${path}`)
        return bytesToHex(privateKey)
      },
    },
    provider: viem(reader),
  }
  const plugin = createPPv1Plugin(host, {
    accountIndex: 0,
    broadcasterUrl: relayerUrl,
    entrypoint: { address: BigInt(chain.entrypoint), deploymentBlock: BigInt(chain.startBlock) },
    aspServiceFactory: () => new OxBowAspService({ network, aspUrl }),
    proverFactory: async () => prover,
  })
  return { plugin, broadcaster: createPPv1Broadcaster(host, { broadcasterUrl: relayerUrl }) }
}
