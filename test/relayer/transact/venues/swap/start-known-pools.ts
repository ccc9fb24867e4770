import { parseEther, type Address } from 'viem'
import { startSwapWorld, type SwapWorld } from './start-swap-world.ts'

export const ONE = parseEther('1')
export const DOLLARS = 10n ** 6n

/** A world with pools: coin –v3– usd –v3– eur –v2– odd; coin –v2– taxed; coin –v2– strict; coin –both– hostile. */
export interface KnownPools extends SwapWorld {
  usd: Address
  eur: Address
  odd: Address
  taxed: Address
  strict: Address
  hostile: Address
}

export async function startKnownPools(): Promise<KnownPools> {
  const world = await startSwapWorld()
  const { wrapped } = world
  const usd = await world.createToken()
  const eur = await world.createToken()
  const odd = await world.createToken()
  const taxed = await world.createToken('TaxedToken')
  const strict = await world.createToken('StrictToken')
  const hostile = await world.createToken('HostileToken')
  const coins = (amount: string) => ({ token: wrapped, amount: parseEther(amount) })
  const dollars = (amount: bigint) => ({ token: usd, amount: amount * DOLLARS })
  await world.openPool(500, coins('100'), dollars(300_000n))
  await world.openPool(3_000, coins('200'), dollars(600_000n))
  await world.openPool(100, dollars(900_000n), { token: eur, amount: parseEther('900000') }, 2_000)
  await world.openPair({ token: eur, amount: parseEther('50000') }, { token: odd, amount: parseEther('700') })
  await world.openPair(coins('100'), { token: taxed, amount: parseEther('5000') })
  await world.openPair(coins('100'), { token: strict, amount: 300_000n * DOLLARS })
  await world.openPool(3_000, coins('10'), { token: hostile, amount: ONE })
  await world.openPool(500, coins('10'), { token: hostile, amount: ONE })
  await world.openPair(coins('10'), { token: hostile, amount: ONE })
  world.config.venues.uniswap!.baseTokens = [usd, eur]
  return { ...world, usd, eur, odd, taxed, strict, hostile }
}

/** Every token that must not remain in the router. */
export const everyToken = ({ wrapped, usd, eur, odd, taxed, strict }: KnownPools): readonly Address[] => [
  wrapped,
  usd,
  eur,
  odd,
  taxed,
  strict,
]
