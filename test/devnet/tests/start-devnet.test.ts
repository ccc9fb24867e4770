import { once } from 'node:events'
import { createServer } from 'node:net'
import { erc20Abi, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { serviceConfig } from '../../../gateway/config/config.ts'
import { devnetConfig } from '../../../gateway/config/devnet-config.ts'
import { readDescription, type DevnetDescription } from '../devnet-description.ts'
import { connectWallet } from '../wallet/connect-wallet.ts'
import { deposit } from '../wallet/deposit.ts'
import { makeSecrets } from '../../../schema/client/pool/note.ts'
import { entrypointAbi, poolAbi } from '../../../relayer/chain/contracts/privacy-pools.ts'
import { computeScope } from '../../../relayer/pool/state/formulas.ts'
import { findFreePort } from '../../harness/find-free-port.ts'
import { at } from '../../vectors/relay-story.ts'
import { startTestDevnet, type TestDevnet } from '../../harness/start-test-devnet.ts'

describe('a devnet of two chains', () => {
  let test: TestDevnet
  let description: DevnetDescription

  beforeAll(async () => {
    test = await startTestDevnet(
      { chainIds: [31_337, 777], genesisBlocks: [0, 5_000_000], deterministic: true, asp: true },
      { isNew: true },
    )
    description = await readDescription(test.dataDir)
  })
  afterAll(() => test[Symbol.asyncDispose]())

  it('is described for clients', () => {
    expect(description.asp).toEqual({ url: test.devnet.asp?.url })
    expect(description.chains.map(({ chainId, startBlock }) => [chainId, startBlock])).toEqual([
      [31_337, 6],
      [777, 5_000_006],
    ])
    for (const { chainId, pools, tokens, accounts } of description.chains) {
      expect(pools.map(({ symbol, decimals }) => [symbol, decimals])).toEqual([
        ['ETH', 18],
        ['TUSD', 6],
        ['TEUR', 18],
      ])
      expect(tokens.map(({ address }) => address)).toEqual(pools.slice(1).map(({ asset }) => asset))
      expect(pools.map(({ pool, asset }) => String(computeScope(pool, chainId, asset)))).toEqual(
        pools.map(({ scope }) => scope),
      )
      expect(accounts).toHaveLength(20)
    }
  })

  it('never lists the accounts of the service', () => {
    const listed = new Set<unknown>(
      description.chains.flatMap(({ accounts }) => accounts.map(({ privateKey }) => privateKey)),
    )
    for (const { relayer } of test.devnet.chains) {
      const { signerKeys, relaySignerKeys = [], feeReceiverKey } = relayer!
      const keys = [...signerKeys, ...relaySignerKeys, feeReceiverKey]
      expect(new Set(keys).size).toBe(9)
      for (const key of keys) expect(listed.has(key)).toBe(false)
    }
  })

  it('has the pools on chain as configured, and rich clients', async () => {
    for (const chain of description.chains) {
      const account = at(chain.accounts, 19)
      const { reader } = connectWallet(chain, account.privateKey)
      for (const { pool, asset, scope, decimals } of chain.pools) {
        const call = { address: chain.entrypoint, abi: entrypointAbi, functionName: 'assetConfig' } as const
        const [registered] = await reader.readContract({ ...call, args: [asset] })
        expect(registered).toBe(pool)
        expect(await reader.readContract({ address: pool, abi: poolAbi, functionName: 'SCOPE' })).toBe(
          BigInt(scope),
        )
        if (asset === NATIVE_ASSET) continue
        const args = [account.address] as const
        const balance = await reader.readContract({
          address: asset,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args,
        })
        expect(balance).toBe(parseUnits('1000000', decimals))
      }
      expect(await reader.getBalance(account)).toBe(parseEther('10000'))
    }
  })

  it('gives the service settings as a configuration file has them', () => {
    const { settings } = test.devnet.report
    expect(serviceConfig.parse(JSON.parse(JSON.stringify(settings)))).toMatchObject({
      chains: test.devnet.chains,
      names: settings.names,
    })
    for (const chain of test.devnet.chains)
      expect(chain).toMatchObject({ confirmations: 0, relayer: { multicall: expect.any(String) as unknown } })
  })

  it('has the same block hashes, times and gas prices in every deterministic run', async () => {
    await using again = await startTestDevnet({ deterministic: true }, { isNew: true })
    const facts = async (rpcUrl: string) => {
      const { reader } = connectWallet({ chainId: 31_337, rpcUrl }, at(test.chain.accounts, 0).privateKey)
      const { hash, timestamp } = await reader.getBlock({ blockNumber: 15n })
      return { hash, timestamp, gasPrice: await reader.getGasPrice() }
    }
    const first = await facts(test.chain.rpcUrl)
    expect(first).toMatchObject({ timestamp: 1_800_000_015n, gasPrice: 1_000_000_000n })
    expect(await facts(again.chain.rpcUrl)).toEqual(first)
  })

  it('refuses a reused precommitment, which would lock the second deposit', async () => {
    const { asset, pool } = at(test.chain.pools, 0)
    const wallet = connectWallet(test.chain, at(test.chain.accounts, 3).privateKey)
    const request = {
      entrypoint: test.chain.entrypoint,
      asset,
      pool,
      gross: parseEther('1'),
      secrets: makeSecrets(),
    }
    await deposit(wallet, request)
    await expect(deposit(wallet, request)).rejects.toThrow('PrecommitmentAlreadyUsed')
  })
})

describe('ports and blocks', () => {
  it('takes the wanted port, or a free one when it is taken', async () => {
    const port = await findFreePort()
    const guest = createServer().listen(port, '127.0.0.1')
    await once(guest, 'listening')
    {
      await using test = await startTestDevnet({ ports: [port] })
      expect(test.chain.rpcUrl).not.toContain(`:${port}`)
    }
    guest.close()
    await using test = await startTestDevnet({ ports: [port] })
    expect(test.chain.rpcUrl).toBe(`http://127.0.0.1:${port}`)
  })

  it('mines by the clock when asked', async () => {
    await using test = await startTestDevnet({ blockTime: 1 })
    expect(test.devnet.chains).toMatchObject([{ confirmations: 1 }])
    const { reader } = connectWallet(test.chain, at(test.chain.accounts, 0).privateKey)
    const before = await reader.getBlockNumber()
    await expect.poll(() => reader.getBlockNumber()).toBeGreaterThan(before)
  })
})

describe('configuration', () => {
  it('has two chains by default', () => {
    expect(devnetConfig.parse({})).toMatchObject({
      chainIds: [31_337, 31_338],
      ports: [8_545, 8_546],
      asp: true,
      aspDelaySeconds: 5,
    })
  })

  it('checksums depositors, and refuses anything else', () => {
    const text = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
    expect(devnetConfig.parse({ aspDecline: [text] }).aspDecline).toEqual([
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    ])
    expect(devnetConfig.safeParse({ aspDecline: ['nobody'] }).success).toBe(false)
    expect(devnetConfig.safeParse({ chainIds: [1, 1] }).success).toBe(false)
    expect(devnetConfig.safeParse({ ports: [70_000] }).success).toBe(false)
  })
})
