import { createPublicClient, erc20Abi, http, parseEther, parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { grantFeature } from '../../../../db/account/profile/account-features.ts'
import { z } from 'zod'
import { supportedChain } from '../../../../schema/chain/operations.ts'
import { supportedPool } from '../../../../schema/pool/state/operations.ts'
import { call } from '../../../harness/call.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { loadRelayVectors, replayVectorDeposits } from '../../../vectors/load-relay-vectors.ts'
import { openAccount, OWN_LIMITS, signIn } from '../../../relayer/account/open-account.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    ...OWN_LIMITS,
    devnet: { ports: [0, 0], deterministic: true, aspDelaySeconds: 3_600, chainIds: [31_337] },
  })
})
afterAll(() => service?.stop())

it('the chains are public', async () => {
  const answer = await call(`${service.url}/v1/supported-chains`)
  expect(answer.status).toBe(200)
  expect(z.array(supportedChain).parse(answer.json)).toEqual([
    {
      name: 'Devnet 31337',
      chainId: 31_337,
      isTestnet: true,
      explorerUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/31337$/) as unknown,
      explorerTxPath: '/tx/',
      mainnetChainId: null,
      logoBaseName: null,
      isSquareLogo: false,
      capabilities: expect.arrayContaining(['receive', 'relay', 'send', 'pool_deposit', 'swap', 'names']),
    },
  ])
})

it('signed-in clients see the pools as their contracts have them', async () => {
  expect(await call(`${service.url}/v1/supported-pools`)).toMatchObject({ status: 401 })
  const client = await signIn(service.url)
  const read = async () => {
    const answer = await client.get('/v1/supported-pools')
    expect(answer.status).toBe(200)
    return z.array(supportedPool).parse(answer.json)
  }
  const [native, dollar, euro] = await read()
  expect([native?.tokenSymbol, dollar?.tokenSymbol, euro?.tokenSymbol]).toEqual(['ETH', 'TUSD', 'TEUR'])
  expect(native).toMatchObject({
    provider: 'privacy-pools',
    chainId: 31_337,
    chainName: 'Devnet 31337',
    token: zeroAddress,
    decimals: 18,
    minDeposit: parseEther('0.001'),
    maxDeposit: 2n ** 128n - 2n,
    totalBalance: 0n,
    asp: { name: 'Devnet ASP', policyUrl: expect.stringMatching(/^http:.*\/policy$/) as unknown },
    maxRelayFeeBPS: 1_000,
  })
  for (const pool of [native, dollar, euro]) expect(pool?.logoUrl).toMatch(/^data:image\/png;base64,/)
  const policy = await fetch(native!.asp.policyUrl!)
  expect(policy.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await policy.text()).toContain('Policy of the devnet ASP')
  expect(String(native?.scope)).toMatch(/^\d{70,77}$/)
  expect(native?.withdrawalFeePerProofWei).toBeGreaterThan(500_000n * 10n ** 8n)
  expect(dollar?.minDeposit).toBe(parseUnits('10', 6))

  const chain = service.parts.chains[0]!
  await replayVectorDeposits(loadRelayVectors(), chain)
  const reader = createPublicClient({ transport: http(chain.rpcUrls[0]) })
  const held = await reader.getBalance({ address: native!.poolAddress as `0x${string}` })
  expect(held).toBeGreaterThan(0n)
  // The service reads the chain's head by itself.
  await expect.poll(async () => (await read())[0]?.totalBalance, { timeout: 150_000 }).toBe(held)
  const pools = await read()
  const token = await reader.readContract({
    address: dollar!.token as `0x${string}`,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [dollar!.poolAddress as `0x${string}`],
  })
  expect(pools[1]?.totalBalance).toBe(token)
})

it('a pool with a feature is shown only to accounts with that feature', async () => {
  const asset = service.parts.chains[0]?.relayer?.assets[2]
  if (!asset) throw new Error('the devnet has three pools')
  asset.feature = 'euro'
  try {
    const [with_, without, nobody] = [
      await openAccount(service.url),
      await openAccount(service.url),
      await signIn(service.url),
    ]
    await grantFeature(service.database.pool, with_.accountId, 'euro')
    const symbols = async (client: typeof nobody) =>
      z
        .array(supportedPool)
        .parse((await client.get('/v1/supported-pools')).json)
        .map(({ tokenSymbol }) => tokenSymbol)
    expect(await symbols(with_)).toEqual(['ETH', 'TUSD', 'TEUR'])
    expect(await symbols(without)).toEqual(['ETH', 'TUSD'])
    expect(await symbols(nobody)).toEqual(['ETH', 'TUSD'])
  } finally {
    delete asset.feature
  }
})
