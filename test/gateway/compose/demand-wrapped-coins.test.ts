import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConfigError } from '../../../gateway/config/config-error.ts'
import { demandWrappedCoins } from '../../../gateway/compose/check-settings.ts'
import { createClient } from '../../../relayer/chain/nodes/open-chain.ts'
import { startSwapWorld, type SwapWorld } from '../../relayer/transact/venues/swap/start-swap-world.ts'

let world: SwapWorld
beforeAll(async () => {
  world = await startSwapWorld()
})
afterAll(() => world?.stop())

it('a chain whose router unwraps another coin than the configured one is refused in a sentence', async () => {
  await demandWrappedCoins([world])
  const other = getAddress(`0x${'12'.repeat(20)}`)
  const start = demandWrappedCoins([world, { ...world, config: { ...world.config, wrappedNative: other } }])
  await expect(start).rejects.toThrow(ConfigError)
  await expect(start).rejects.toThrow(
    `${world.config.chainId} names ${other} as wrappedNative, but venues.uniswap.router (${world.router}) works with ${world.wrapped}`,
  )
})

it('a chain that does not answer holds nothing up', async () => {
  const config = { ...world.config, rpcUrls: ['http://127.0.0.1:9'] }
  await demandWrappedCoins([{ config, client: createClient(config) }])
})
