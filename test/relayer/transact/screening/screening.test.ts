import { pino } from 'pino'
import { parseAbi, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { kindOfCode, readAddressKind } from '../../../../relayer/transact/screening/address-kind.ts'
import { screeningConfig } from '../../../../relayer/transact/screening/config.ts'
import { createScreening } from '../../../../relayer/transact/screening/create-screening.ts'
import { at } from '../../../vectors/relay-story.ts'
import { startTestDevnet, type TestDevnet } from '../../../harness/start-test-devnet.ts'

const CHAIN = 31_337
const listAbi = parseAbi([
  'error NotOwner()',
  'function addToSanctionsList(address[] newSanctions)',
  'function removeFromSanctionsList(address[] removeSanctions)',
])
const somebody = () => privateKeyToAddress(generatePrivateKey())

let test: TestDevnet
let config: ChainConfig
beforeAll(async () => {
  test = await startTestDevnet()
  config = at(test.devnet.chains, 0)
})
afterAll(() => test[Symbol.asyncDispose]())

const chainsOf = (changes: Partial<ChainConfig> = {}) =>
  new Map([[CHAIN, openChain({ ...config, ...changes }, pino({ level: 'silent' }))]])
const screen = (
  settings: Parameters<typeof screeningConfig.parse>[0],
  now?: () => number,
  chains = chainsOf(),
) => createScreening(chains, screeningConfig.parse(settings), now)
const owner = () => connectWallet(test.chain, deriveAccounts().deployer.privateKey)

async function change(
  functionName: 'addToSanctionsList' | 'removeFromSanctionsList',
  addresses: Address[],
  wallet = owner(),
) {
  const { sanctionsOracle: address } = test.chain
  const hash = await wallet.sender.writeContract({ address, abi: listAbi, functionName, args: [addresses] })
  await wallet.reader.waitForTransactionReceipt({ hash })
}

describe('screening', () => {
  it('asks no screener when it is off', async () => {
    const bad = somebody()
    await change('addToSanctionsList', [bad])
    await expect(screen({}).requireClear(CHAIN, [bad])).resolves.toBeUndefined()
  })

  it('refuses addresses on the list in any case', async () => {
    const bad = somebody()
    const screening = screen({ mode: 'list', addresses: [bad], recoveryUrl: 'https://example.org/help' })
    await expect(
      screening.requireClear(CHAIN, [somebody(), bad.toLowerCase() as Address]),
    ).rejects.toMatchObject({
      kind: 'legal',
      code: 'ADDRESS_NOT_SERVED',
      details: { recoveryUrl: 'https://example.org/help' },
    })
    await expect(screening.requireClear(CHAIN, [somebody()])).resolves.toBeUndefined()
  })

  it('refuses addresses that the oracle names once its cached answer is too old', async () => {
    const bad = somebody()
    let time = 0
    const screening = screen({ mode: 'oracle', cacheMs: 1_000 }, () => time)
    await screening.requireClear(CHAIN, [bad])
    await change('addToSanctionsList', [bad])
    time = 999
    await screening.requireClear(CHAIN, [bad])
    time = 1_000
    await expect(screening.requireClear(CHAIN, [bad])).rejects.toMatchObject({ kind: 'legal' })
    await change('removeFromSanctionsList', [bad])
    time = 2_000
    await screening.requireClear(CHAIN, [bad])
  })

  it('uses the list besides the oracle', async () => {
    const bad = somebody()
    const screening = screen({ mode: 'oracle', addresses: [bad] })
    await expect(screening.requireClear(CHAIN, [bad])).rejects.toMatchObject({ kind: 'legal' })
  })

  it('refuses addresses that it cannot screen, without naming them', async () => {
    const bad = somebody()
    const cases = [
      chainsOf({ rpcUrls: ['http://127.0.0.1:1'] }),
      // No contract there.
      chainsOf({ sanctionsOracle: somebody() }),
      // A contract that is no oracle.
      chainsOf({ sanctionsOracle: config.relayer!.entrypoint }),
    ]
    for (const chains of cases) {
      const refusal = await screen({ mode: 'oracle' }, Date.now, chains)
        .requireClear(CHAIN, [bad])
        .catch((error: unknown) => error as Error)
      expect(refusal).toMatchObject({ kind: 'unavailable' })
      expect((refusal as Error).message).not.toContain(bad.slice(2))
    }
    await expect(screen({ mode: 'oracle' }).requireClear(5, [bad])).rejects.toMatchObject({
      kind: 'unavailable',
    })
  })

  it('reports a listed address even if others cannot be screened', async () => {
    const bad = somebody()
    const screening = screen(
      { mode: 'oracle', addresses: [bad] },
      Date.now,
      chainsOf({ rpcUrls: ['http://127.0.0.1:1'] }),
    )
    await expect(screening.requireClear(CHAIN, [somebody(), bad])).rejects.toMatchObject({ kind: 'legal' })
  })

  it('does not start on a chain without a configured oracle', () => {
    const { sanctionsOracle: _, ...rest } = config
    const chains = new Map([[CHAIN, openChain(rest, pino({ level: 'silent' }))]])
    expect(() => screen({ mode: 'oracle' }, Date.now, chains)).toThrow('sanctionsOracle')
    expect(() => screen({ mode: 'list' }, Date.now, chains)).not.toThrow()
  })

  it("accepts changes of the devnet's list from its owner only", async () => {
    const client = connectWallet(test.chain, at(test.chain.accounts, 1).privateKey)
    await expect(change('addToSanctionsList', [somebody()], client)).rejects.toThrow('NotOwner')
  })
})

describe('the code of an address', () => {
  it('is read at the head', async () => {
    const { reader, sender } = connectWallet(test.chain, at(test.chain.accounts, 2).privateKey)
    const account = privateKeyToAccount(generatePrivateKey())
    expect(await readAddressKind(reader, account.address)).toBe('eoa')
    const contractAddress = test.chain.intents.accountProxy
    const authorization = await account.signAuthorization({ contractAddress, chainId: CHAIN, nonce: 0 })
    const hash = await sender.sendTransaction({
      to: zeroAddress,
      authorizationList: [authorization],
      gas: 100_000n,
    })
    await reader.waitForTransactionReceipt({ hash })
    expect(await readAddressKind(reader, account.address)).toBe('delegated')
    expect(await readAddressKind(reader, test.chain.entrypoint)).toBe('contract')
  })

  it('is unknown when no node answers', async () => {
    const { client } = openChain({ ...config, rpcUrls: ['http://127.0.0.1:1'] }, pino({ level: 'silent' }))
    await expect(readAddressKind(client, somebody())).rejects.toMatchObject({
      kind: 'bad-gateway',
    })
  })

  it('counts as a delegation only with a complete designator', () => {
    expect(kindOfCode(undefined)).toBe('eoa')
    expect(kindOfCode('0x')).toBe('eoa')
    expect(kindOfCode('0xef0100')).toBe('contract')
    expect(kindOfCode(`0xef0100${'11'.repeat(20)}`)).toBe('delegated')
    expect(kindOfCode(`0xef0100${'11'.repeat(21)}`)).toBe('contract')
  })
})
