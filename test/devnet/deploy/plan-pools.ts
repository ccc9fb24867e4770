import { encodeFunctionData, zeroAddress, type Address, type Hex } from 'viem'
import type { ContractBuild } from '../build/contract-build.ts'
import { addressOf } from './devnet-addresses.ts'
import { LIQUIDITY, OBSERVATIONS, type Liquidity } from './devnet-liquidity.ts'

/** A call that creates a pool, with the native coins that it holds. */
export interface PoolTransaction {
  to: Address
  data: Hex
  value: bigint
}

/** The arguments with which the contracts of Uniswap are created. */
export function uniswapArguments(deployer: Address): {
  PairFactory: readonly [Address]
  PositionManager: readonly [Address, Address, Address]
  SwapQuoter: readonly [Address, Address]
  SwapRouter: readonly [Address, Address, Address, Address]
} {
  const pairs = addressOf('PairFactory', deployer)
  const pools = addressOf('PoolFactory', deployer)
  const positions = addressOf('PositionManager', deployer)
  const wrapped = addressOf('WrappedNative', deployer)
  return {
    PairFactory: [deployer],
    // The third one draws pictures of positions.
    PositionManager: [pools, wrapped, zeroAddress],
    SwapQuoter: [pools, wrapped],
    SwapRouter: [pairs, pools, positions, wrapped],
  }
}

/** The calls that create the pools with their liquidity, which then belongs to the deployer. */
export function planPools(
  build: ContractBuild,
  deployer: Address,
): Record<keyof typeof LIQUIDITY, PoolTransaction> {
  const seed = ({ sides, v3 }: Liquidity): PoolTransaction => {
    const args = sides.map(([step, amount]) => ({ token: addressOf(step, deployer), amount }))
    const [, value] = sides.find(([step]) => step === 'WrappedNative') ?? [null, 0n]
    const data = encodeFunctionData({
      abi: build.PoolSeed.abi,
      functionName: v3 ? 'seedPool' : 'seedPair',
      args: v3 ? [...args, v3.fee, v3.reach, OBSERVATIONS] : args,
    })
    return { to: addressOf('PoolSeed', deployer), data, value }
  }
  return {
    seedDeepPool: seed(LIQUIDITY.seedDeepPool),
    seedShallowPool: seed(LIQUIDITY.seedShallowPool),
    seedEuroPool: seed(LIQUIDITY.seedEuroPool),
    seedEuroPair: seed(LIQUIDITY.seedEuroPair),
    seedTaxedPair: seed(LIQUIDITY.seedTaxedPair),
    seedStrictPair: seed(LIQUIDITY.seedStrictPair),
    seedNarrowPool: seed(LIQUIDITY.seedNarrowPool),
  }
}
