import {
  BaseError,
  encodeFunctionData,
  keccak256,
  stringToHex,
  zeroAddress,
  type Hex,
  concatHex,
  getContractAddress,
  parseAbi,
  zeroHash,
  type Address,
  type PublicClient,
} from 'viem'
import type { KyberswapConfig } from '../../../../chain/nodes/venues-config.ts'
import { swapUnavailable, refuseSilence } from '../../../errors.ts'
import { withApproval, type Call } from '../../../intents/intent.ts'
import type { SwapAsk, SwapPart, SwapVenue, VenueChain } from '../swap-venue.ts'
import { askKyberswapRoute, buildKyberswapRoute, type ProposedRoute } from './ask-kyberswap.ts'
import { OUTPUT_GUARD_CODE } from './output-guard-code.ts'

/**
 * An aggregator with KyberSwap's protocol, on chains that configure one. None of its answers is trusted: the router and
 * the spender come from the configuration. A guard on the chain enforces the minimum, and the kind runs the calls
 * before anybody signs them.
 */
export const kyberswapVenue: SwapVenue = {
  name: 'kyberswap',
  async findRoute({ config, client }, ask) {
    const { kyberswap, outputGuard } = config.venues
    if (!kyberswap || !outputGuard || !(await hasGuard(client, outputGuard))) return null
    const proposed = await askKyberswapRoute(kyberswap, ask)
    if (!proposed) return null
    const { tokenIn, tokenOut } = ask
    const spender = kyberswap.spender ?? kyberswap.router
    const buildOf = rememberBuilds(kyberswap, ask, proposed)
    return {
      routing: 'CLASSIC',
      isNativeAtPar: false,
      expected: proposed.amountOut,
      // A spot price is accepted from pools only.
      atSpot: null,
      twapGapBps: null,
      hasSlippage: true,
      callsAreOurs: false,
      tellsRecipient: true,
      gasKey: `KYBERSWAP ${tokenIn} ${tokenOut} ${hashRoute(proposed)}`,
      spender: tokenIn === zeroAddress ? null : spender,
      async calls(part) {
        const data = await buildOf(part)
        const output = { token: tokenOut, account: part.recipient, minimum: part.minimum }
        const [note, demand] = guardOutput(outputGuard, output)
        if (tokenIn === zeroAddress)
          return [note, { to: kyberswap.router, value: part.amountIn, data }, demand]
        const call = { to: kyberswap.router, value: 0n, data }
        const payment = { token: tokenIn, spender, amount: part.amountIn, allowance: part.allowance }
        return withApproval(payment, [note, call, demand])
      },
    }
  },
}

/** @throws ServiceError `unavailable` when the chain does not answer. */
async function hasGuard(client: VenueChain['client'], guard: Call['to']): Promise<boolean> {
  try {
    return await isOutputGuard(client, guard)
  } catch (cause) {
    if (cause instanceof BaseError) return refuseSilence(cause)
    throw cause
  }
}

/**
 * Creates a cache of the router's data for parts of a route. One part always gets the same data, so that the calls of a
 * run are those that are signed.
 */
function rememberBuilds(config: KyberswapConfig, ask: SwapAsk, proposed: ProposedRoute) {
  const builds = new Map<string, Promise<Hex>>()
  const build = async ({ amountIn, recipient, deadline }: SwapPart): Promise<Hex> => {
    const route = amountIn === ask.amountIn ? proposed : await askKyberswapRoute(config, { ...ask, amountIn })
    if (!route) throw swapUnavailable()
    return buildKyberswapRoute(config, route, { recipient, deadline })
  }
  return (part: SwapPart): Promise<Hex> => {
    const key = `${part.recipient} ${part.amountIn}`
    const known = builds.get(key) ?? build(part)
    builds.set(key, known)
    return known
  }
}

/** Hashes the pools that a route goes through. */
function hashRoute({ summary }: ProposedRoute): Hex {
  const { route } = summary as { route?: unknown }
  const pools = JSON.stringify(route ?? null, (key, value: unknown) =>
    key === '' || key === 'pool' || typeof value === 'object' ? value : undefined,
  )
  return keccak256(stringToHex(pools))
}

const guardAbi = parseAbi([
  'function note(address token, address account)',
  'function demand(address token, address account, uint256 minimum)',
])

/** Creates contracts at addresses that depend only on their code; at the same address on most chains. */
export const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Address of OutputGuard on every chain where OUTPUT_GUARD_DEPLOYMENT was sent. */
export const OUTPUT_GUARD_ADDRESS = getContractAddress({
  opcode: 'CREATE2',
  from: CREATE2_DEPLOYER,
  salt: zeroHash,
  bytecode: OUTPUT_GUARD_CODE,
})

/** The transaction that creates OutputGuard; anybody may send it. */
export const OUTPUT_GUARD_DEPLOYMENT: { to: Address; data: Hex } = {
  to: CREATE2_DEPLOYER,
  data: concatHex([zeroHash, OUTPUT_GUARD_CODE]),
}

/** Output that a batch must bring an account. The zero address is the native coin; smallest unit. */
interface GuardedOutput {
  token: Address
  account: Address
  minimum: bigint
}

/** Returns calls that revert the batch unless the calls between them give the account the minimum. */
function guardOutput(guard: Address, { token, account, minimum }: GuardedOutput): [note: Call, demand: Call] {
  const call = (data: Hex): Call => ({ to: guard, value: 0n, data })
  return [
    call(encodeFunctionData({ abi: guardAbi, functionName: 'note', args: [token, account] })),
    call(encodeFunctionData({ abi: guardAbi, functionName: 'demand', args: [token, account, minimum] })),
  ]
}

/**
 * True if the guard's code is at an address: calls to an address without code succeed and demand nothing.
 * @throws BaseError of viem when the node does not answer.
 */
async function isOutputGuard(client: PublicClient, guard: Address): Promise<boolean> {
  const code = await client.getCode({ address: guard, blockTag: 'latest' })
  // The constructor does nothing, so the runtime code is the end of the creation code.
  return code !== undefined && code.length > MIN_CODE_LENGTH && OUTPUT_GUARD_CODE.endsWith(code.slice(2))
}

/** In characters. A shorter code could equal an end of the creation code by chance. */
const MIN_CODE_LENGTH = OUTPUT_GUARD_CODE.length * 0.9
