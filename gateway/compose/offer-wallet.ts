import {
  createClient,
  encodeFunctionData,
  erc20Abi,
  http,
  isAddressEqual,
  numberToHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { badRequest } from '../../relayer/errors.ts'
import type { RelayerChains } from '../../relayer/pool/relay/relayer-chain.ts'
import type { ServiceConfig } from '../config/config.ts'
import type { DevnetPayment, PoolReads, WalletPage } from '../pages/wallet-routes.ts'

type Chains = ServiceConfig['chains']

/**
 * The wallet's page, if the configuration asks for it; without a setting, if the service runs a devnet.
 *
 * @param config With the devnet's chains.
 * @param isDevnet This process started the chains itself. Only then a route pays from their rich accounts.
 * @param relayerChains Chains with pools, which the page reads through the service.
 */
export function offerWallet(
  { chains, wallet, names }: Pick<ServiceConfig, 'chains' | 'wallet' | 'names'>,
  isDevnet: boolean,
  relayerChains: RelayerChains,
): WalletPage | null {
  if (!(wallet ?? isDevnet)) return null
  return {
    settings: { chains: chains.flatMap(describeForWallet), isDevnet, nameParent: names.parent ?? null },
    pay: isDevnet ? (payment) => payFromDevnet(chains, payment) : null,
    read: (reads) => readPools(relayerChains, reads),
  }
}

/** The contracts that the wallet may sign for; a chain without sending has none. */
function describeForWallet({
  chainId,
  name,
  nativeSymbol,
  sending,
  wrappedNative,
  relayer,
  venues,
}: Chains[number]) {
  if (!sending) return []
  const { orchestrator, accountProxy } = sending
  return [
    {
      chainId,
      name,
      nativeSymbol,
      orchestrator,
      accountProxy,
      ...(wrappedNative && { wrapped: wrappedNative }),
      ...(venues?.uniswap && { router: venues.uniswap.router }),
      ...(relayer && { entrypoint: relayer.entrypoint }),
    },
  ]
}

/** Only the Entrypoint and its pools are read: the operator's node is for no other contracts. */
async function readPools(chains: RelayerChains, { chainId, calls }: PoolReads): Promise<readonly Hex[]> {
  const served = chains.get(chainId)
  if (!served) throw badRequest('The chain has no pools')
  const { chain, pools } = served
  const known = [chain.config.relayer.entrypoint, ...pools.pools().map(({ address }) => address)]
  if (!calls.every(({ to }) => known.some((one) => isAddressEqual(one, to))))
    throw badRequest('Only the contracts of pools are read')
  const answers = await Promise.all(calls.map(({ to, data }) => chain.contracts.call({ to, data })))
  return answers.map(({ data }) => data ?? '0x')
}

/** The node of a devnet signs for its rich accounts; no other part pays from the last of them. */
async function payFromDevnet(
  chains: Chains,
  { chainId, token, to, amount }: DevnetPayment,
): Promise<{ txHash: string }> {
  const [url] = chains.find((chain) => chain.chainId === chainId)?.rpcUrls ?? []
  if (!url) throw badRequest('The devnet has no such chain')
  const node = createClient({ transport: http(url) })
  const from = (await node.request({ method: 'eth_accounts' })).at(-1) as Address
  const transaction = isAddressEqual(token, zeroAddress)
    ? { from, to, value: numberToHex(BigInt(amount)) }
    : {
        from,
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, BigInt(amount)] }),
      }
  return { txHash: await node.request({ method: 'eth_sendTransaction', params: [transaction] }) }
}
