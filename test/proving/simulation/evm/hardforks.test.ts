import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createTestClient, http, numberToHex, pad, publicActions, walletActions } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProvingPool } from '../../../../proving/create-proving-pool.ts'
import type { ProvingPool } from '../../../../proving/proving-pool.ts'
import { locateAnvil } from '../../../devnet/anvil/locate-anvil.ts'
import { findFreePort } from '../../../harness/find-free-port.ts'
import { SENDER } from '../start-reverting-contract.ts'
import { PRECOMPILE_INPUTS } from './precompile-inputs.ts'

let pool: ProvingPool
beforeAll(async () => {
  pool = await createProvingPool({ threads: 1, commitmentKeys: [] })
})
afterAll(() => pool.close())

/** Contracts whose price or existence differs between hardforks. */
const inputs = PRECOMPILE_INPUTS.filter(([name]) => /MODEXP|BLS|P-256/.test(name))

describe.each(['cancun', 'prague', 'osaka'])('a chain that follows the rules of %s', (hardfork) => {
  let url: string
  let stop: () => Promise<unknown>
  beforeAll(async () => {
    const port = await findFreePort()
    const options = ['--port', `${port}`, '--hardfork', hardfork, '--quiet']
    const anvil = spawn(locateAnvil(), options, { stdio: 'ignore' })
    url = `http://127.0.0.1:${port}`
    stop = () => {
      anvil.kill('SIGKILL')
      return once(anvil, 'exit')
    }
  })
  afterAll(() => stop())

  test('agrees with its receipts', async () => {
    const transport = http(url, { retryCount: 100, retryDelay: 50 })
    const client = createTestClient({
      mode: 'anvil',
      chain: foundry,
      account: SENDER,
      pollingInterval: 20,
      transport,
    })
      .extend(publicActions)
      .extend(walletActions)
    await client.getBlockNumber()
    const calls = inputs.map(([name, address, data]) => ({
      name,
      to: pad(numberToHex(address), { size: 20 }),
      data,
    }))
    // Counts leading zeros, or fails; then returns nothing.
    const clz = { name: 'CLZ', to: null, data: '0x60011e00' } as const
    const long = { name: 'calldata', to: SENDER, data: `0x${'ff'.repeat(600)}` } as const
    const found: unknown[] = []
    const expected: unknown[] = []
    for (const { name, to, data } of [...calls, clz, long]) {
      const call = { from: SENDER, to, data, value: 0n, gas: 1_000_000n } as const
      const outcome = await pool.simulate({
        rpcUrls: [url],
        call,
        errorAbi: [],
        timeoutMs: 5_000,
        prefer: 'evm',
      })
      const hash = await client.sendTransaction({ to, data, gas: 1_000_000n })
      const { status, gasUsed } = await client.waitForTransactionReceipt({ hash })
      const { provider, success } = outcome
      found.push({ name, provider, status: success ? 'success' : 'reverted', gasUsed: outcome.gasUsed })
      expected.push({ name, provider: 'evm', status, gasUsed })
    }
    expect(found).toEqual(expected)
  })
})
