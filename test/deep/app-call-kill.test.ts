import { createPublicClient, encodeFunctionData, erc20Abi, http, parseEther, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { connectWallet } from '../devnet/wallet/connect-wallet.ts'
import { openNewClient, type Client } from '../../schema/client/account/open-client.ts'
import { waitUntilConfirmed, type Quote } from '../../schema/client/quotes/send.ts'
import { signUnchecked } from '../harness/sign-unchecked.ts'
import { startKillableService } from '../harness/start-killable-service.ts'

const ORIGIN = 'https://app.example'
const PAID = parseEther('0.6')

test('the calls of an app are made once when the service is killed after the quote and after the submission', async () => {
  const service = await startKillableService()
  try {
    const chain = await service.describe()
    const token = chain.tokens[0]!.address
    const wallet = connectWallet(chain, chain.accounts[3]!.privateKey)
    const client = await openNewClient({ url: service.url })
    const home = `/v1/accounts/${client.accountId}`
    const connect = () =>
      client.ask<{ address: Address }>('POST', `${home}/dapp-addresses`, { origin: ORIGIN })
    const { address } = await connect()
    const hash = await wallet.sender.sendTransaction({ to: address, value: parseEther('1') })
    await wallet.reader.waitForTransactionReceipt({ hash })
    const [friend, spender] = [somebody(), somebody()]
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 7n] })
    const body = {
      type: 'dapp_call',
      chainId: chain.chainId,
      origin: ORIGIN,
      connectedAddress: address,
      description: 'Approve and pay',
      calls: [
        { to: token, data: approval },
        { to: friend, value: String(PAID) },
      ],
    }
    await expect.poll(() => holds(client, address), { timeout: 30_000 }).toBe(true)
    const quote = await client.ask<Quote>('POST', `${home}/quote`, body)

    await service.killAndStart()
    // Its funds are locked, and the app knows the same address.
    await expect(client.ask('POST', `${home}/quote`, body)).rejects.toThrow('QUOTE_LOCK_CONFLICT')
    expect((await connect()).address).toBe(address)
    const signed = await signUnchecked(client, quote)
    await service.holdBlocks()
    await client.ask('POST', `${home}/submit`, signed)
    await service.killAndStart()

    await waitUntilConfirmed(client, quote.quoteId, () => {})
    // Submitted again it is the same submission.
    await client.ask('POST', `${home}/submit`, signed)
    const reader = createPublicClient({ transport: http((await service.describe()).rpcUrl) })
    const allowance = { address: token, abi: erc20Abi, functionName: 'allowance' } as const
    expect(await reader.readContract({ ...allowance, args: [address, spender] })).toBe(7n)
    expect(await reader.getBalance({ address: friend })).toBe(PAID)
    expect(await reader.getBalance({ address })).toBe(parseEther('1') - BigInt(quote.amountIn))
    await expect
      .poll(() => listCalls(client), { timeout: 30_000 })
      .toMatchObject([
        { quoteId: quote.quoteId, dappMeta: { origin: ORIGIN, description: 'Approve and pay' } },
      ])
  } finally {
    await service.stop()
  }
})

const somebody = () => privateKeyToAddress(generatePrivateKey())

async function holds(client: Client, address: Address): Promise<boolean> {
  const { addresses } = await client.ask<{ addresses: { address: Address }[] }>(
    'GET',
    `/v1/accounts/${client.accountId}/funded-addresses`,
  )
  return addresses.some((one) => one.address === address)
}

async function listCalls(client: Client) {
  const { activity } = await client.ask<{
    activity: { kind: string; quoteId?: string; dappMeta?: object }[]
  }>('GET', `/v1/accounts/${client.accountId}/activities`)
  return activity.filter(({ kind }) => kind === 'DAPP_CALL')
}
