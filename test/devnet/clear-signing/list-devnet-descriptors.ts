import { readFile } from 'node:fs/promises'
import { deployedAt, kindOfFile } from '../../../relayer/inspect/clear-signing/check-descriptor.ts'
import type { JsonObject } from '../../../relayer/inspect/clear-signing/parse-strict-json.ts'
import type { DevnetAddresses } from '../deploy/devnet-addresses.ts'

/** The files, and the contracts that each describes: the same on every chain. */
const FILES: Readonly<Record<string, (addresses: DevnetAddresses) => readonly string[]>> = {
  'ercs/calldata-erc20-tokens.json': () => [],
  'ercs/calldata-erc721-tokens.json': () => [],
  'ercs/eip712-erc2612-permit.json': () => [],
  'registry/devnet/calldata-entrypoint.json': ({ entrypoint }) => [entrypoint],
  'registry/devnet/calldata-pool.json': ({ pools }) => pools.map(({ pool }) => pool),
  'registry/devnet/calldata-swap-router.json': ({ uniswap }) => [uniswap.router],
  'registry/devnet/calldata-wrapped-coin.json': ({ wrappedNative }) => [wrappedNative],
  'registry/devnet/eip712-intent.json': ({ intents }) => [intents.orchestrator],
}

/** The devnet's own descriptors (ERC-7730), with the contracts of its chains filled in: JSON by path. */
export async function listDevnetDescriptors(
  chains: readonly { chainId: number; addresses: DevnetAddresses }[],
): Promise<Record<string, string>> {
  const files = await Promise.all(
    Object.entries(FILES).map(async ([path, contractsOf]): Promise<[string, string]> => {
      const text = await readFile(new URL(path, import.meta.url), 'utf8')
      const deployments = chains.flatMap(({ chainId, addresses }) =>
        contractsOf(addresses).map((address) => ({ chainId, address })),
      )
      const kind = kindOfFile(path)
      if (deployments.length === 0 || kind === null) return [path, text]
      const descriptor = JSON.parse(text) as JsonObject
      return [path, JSON.stringify(deployedAt(descriptor, kind, deployments))]
    }),
  )
  return Object.fromEntries(files)
}
