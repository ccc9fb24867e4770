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
import type { Chain } from '../../relayer/chain/nodes/chain.ts'
import { hasPools } from '../../relayer/chain/nodes/relayer-config.ts'
import type { RelayerChains } from '../../relayer/pool/relay/relayer-chain.ts'
import { PINNED_CONTRACTS } from '../../schema/client/chain/pinned-contracts.ts'
import type { ServiceConfig } from '../config/config.ts'
import type { DevnetPayment, PoolReads, WalletPage } from '../pages/wallet-routes.ts'
import type { CashVenue, WalletChain } from '../wallet/settings.ts'

type Chains = ServiceConfig['chains']
type Venues = NonNullable<Chains[number]['venues']>
type Across = NonNullable<Venues['across']>
type Peer = NonNullable<Venues['peer']>

/** The chains behind the page. */
interface OpenedChains {
  served: ReadonlyMap<number, Chain>
  /** Chains with pools, which the page reads through the service. */
  relayerChains: RelayerChains
}

/**
 * The wallet's page, if the configuration asks for it; without a setting, if the service runs a devnet.
 *
 * @param config With the devnet's chains.
 * @param isDevnet This process started the chains itself. Only then a route pays from their rich accounts.
 */
export function offerWallet(
  { chains, wallet, names }: Pick<ServiceConfig, 'chains' | 'wallet' | 'names'>,
  isDevnet: boolean,
  { served, relayerChains }: OpenedChains,
): WalletPage | null {
  if (!(wallet ?? isDevnet)) return null
  return {
    async readSettings() {
      const described = await Promise.all(chains.map((chain) => describeForWallet(chain, served)))
      const known = described.filter((chain) => chain !== null)
      return { chains: known, isDevnet, nameParent: names.parent ?? null }
    },
    pay: isDevnet ? (payment) => payFromDevnet(chains, payment) : null,
    read: (reads) => readPools(relayerChains, reads),
  }
}

/** The contracts that the wallet may sign for; null for a chain without sending, which has none. */
async function describeForWallet(
  { chainId, name, nativeSymbol, sending, wrappedNative, relayer, venues }: Chains[number],
  served: OpenedChains['served'],
): Promise<WalletChain | null> {
  if (!sending) return null
  const { orchestrator, accountProxy } = sending
  return {
    chainId,
    name,
    nativeSymbol,
    orchestrator,
    accountProxy,
    ...(wrappedNative && { wrapped: wrappedNative }),
    ...(venues?.uniswap && { router: venues.uniswap.router }),
    ...(relayer && hasPools(relayer) && { entrypoint: relayer.entrypoint }),
    ...(venues?.peer && { cash: describeCash(venues.peer) }),
    ...(venues?.across &&
      !PINNED_CONTRACTS[chainId] &&
      (await describeBridge(venues.across, served.get(chainId)))),
  }
}

const describeCash = ({ escrow, gatingService, tokens, rates }: Peer): CashVenue => ({
  escrow,
  gatingService,
  tokens,
  feeds: Object.fromEntries(
    rates.map(({ currency, adapter, adapterConfig }) => [
      currency,
      { feed: adapter, feedConfig: adapterConfig },
    ]),
  ),
})

/** The bridge of a chain that the client package does not pin. The wallet compares amounts by the tokens' decimals. */
async function describeBridge(
  { spokePool, multicallHandler, tokens }: Across,
  chain: Chain | undefined,
): Promise<Pick<WalletChain, 'spokePool' | 'multicallHandler' | 'carried'>> {
  if (!chain) throw new Error('the chain of a bridge is not served')
  const carried = await Promise.all(
    tokens.map(async ({ asset, token }) => {
      const terms = { address: token, abi: erc20Abi, functionName: 'decimals' } as const
      return [asset, { token, decimals: await chain.contracts.readContract(terms) }] as const
    }),
  )
  return { spokePool, ...(multicallHandler && { multicallHandler }), carried: Object.fromEntries(carried) }
}

/** Only the Entrypoint and its pools are read: the operator's node is for no other contracts. */
async function readPools(chains: RelayerChains, { chainId, calls }: PoolReads): Promise<readonly Hex[]> {
  const served = chains.get(chainId)
  if (!served || !hasPools(served.chain.config.relayer)) throw badRequest('The chain has no pools')
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
