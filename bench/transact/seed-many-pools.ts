import { parseAbi, parseEther, parseUnits, type Address } from 'viem'
import { deriveAccounts } from '../../test/devnet/accounts.ts'
import { addressOf, type DeployStep } from '../../test/devnet/deploy/devnet-addresses.ts'
import { NATIVE_USD, STRICT, TOKENS } from '../../test/devnet/deploy/devnet-assets.ts'
import { LIQUIDITY, type PooledToken } from '../../test/devnet/deploy/devnet-liquidity.ts'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import { connectWallet } from '../../test/devnet/wallet/connect-wallet.ts'

const seedAbi = parseAbi([
  'struct Side { address token; uint256 amount; }',
  'function seedPair(Side a, Side b) payable',
  'function seedPool(Side a, Side b, uint24 fee, int24 reach, uint16 observations) payable',
])

/** A hundred thousand dollars of each. */
const DEPTH = '100000'
const AMOUNTS: Partial<Record<PooledToken, bigint>> = {
  WrappedNative: parseEther(DEPTH) / BigInt(NATIVE_USD),
  DollarToken: parseUnits(DEPTH, TOKENS[0].decimals),
  EuroToken: parseUnits(DEPTH, TOKENS[1].decimals),
  StrictToken: parseUnits(DEPTH, STRICT.decimals),
}
/** Pools in addition to those of the devnet; an entry without a fee is a pair of v2. */
const MORE: readonly (readonly [PooledToken, PooledToken, fee?: number])[] = [
  ['EuroToken', 'DollarToken'],
  ['EuroToken', 'DollarToken', 3_000],
  ['EuroToken', 'DollarToken', 10_000],
  ['EuroToken', 'WrappedNative', 500],
  ['EuroToken', 'WrappedNative', 3_000],
  ['EuroToken', 'StrictToken'],
  ['DollarToken', 'WrappedNative'],
  ['DollarToken', 'WrappedNative', 10_000],
  ['DollarToken', 'StrictToken', 500],
  ['DollarToken', 'StrictToken', 3_000],
  ['WrappedNative', 'StrictToken', 500],
]

/** Opens more pools on a devnet chain. Returns the resulting number of paths from the euro to the strict token. */
export async function seedManyPools(chain: DescribedChain): Promise<number> {
  const { deployer, clients } = deriveAccounts()
  const [, , , , , , payer] = clients
  if (!payer) throw new Error('the devnet has too few accounts')
  const at = (step: DeployStep): Address => addressOf(step, deployer.address)
  const { sender, reader } = connectWallet(chain, payer.privateKey)
  for (const [one, other, fee] of MORE) {
    const [a, b] = [one, other].map((token) => ({ token: at(token), amount: AMOUNTS[token] ?? 0n }))
    if (!a || !b) throw new Error('a pool has two sides')
    const value = [one, other].includes('WrappedNative') ? AMOUNTS.WrappedNative : 0n
    const call = { address: at('PoolSeed'), abi: seedAbi, value } as const
    const hash = await (fee === undefined
      ? sender.writeContract({ ...call, functionName: 'seedPair', args: [a, b] })
      : sender.writeContract({ ...call, functionName: 'seedPool', args: [a, b, fee, 0, 1] }))
    const { status } = await reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`the pool of ${one} and ${other} was not opened`)
  }
  return countPaths()
}

/** Paths of at most three hops over the dollar and the wrapped native coin. */
function countPaths(): number {
  const standing = Object.values(LIQUIDITY).map(({ sides }) => sides.map(([token]) => token))
  const all = [...standing, ...MORE.map(([one, other]) => [one, other])]
  const between = (one: PooledToken, other: PooledToken) =>
    all.filter((pair) => pair.includes(one) && pair.includes(other)).length
  const [from, to, dollar, coin] = ['EuroToken', 'StrictToken', 'DollarToken', 'WrappedNative'] as const
  return (
    between(from, to) +
    [dollar, coin].reduce((sum, by) => sum + between(from, by) * between(by, to), 0) +
    between(dollar, coin) *
      (between(from, dollar) * between(coin, to) + between(from, coin) * between(dollar, to))
  )
}
