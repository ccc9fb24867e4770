import { createPublicClient, erc721Abi, http, parseAbi, parseAbiItem } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { connectWallet } from '../devnet/wallet/connect-wallet.ts'
import { openNewClient } from '../../schema/client/account/open-client.ts'
import { waitUntilConfirmed, type Quote } from '../../schema/client/quotes/send.ts'
import { verifyCollectible } from '../../schema/client/quotes/withdraw-collectible.ts'
import { signUnchecked } from '../harness/sign-unchecked.ts'
import { startKillableService } from '../harness/start-killable-service.ts'

const ID = 77n
const mintAbi = parseAbi(['function mint(address to, uint256 id)'])
const moved = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 indexed id)')

test('a collectible is sent away once when the service is killed after the quote and after the submission', async () => {
  const service = await startKillableService()
  try {
    const chain = await service.describe()
    const wallet = connectWallet(chain, chain.accounts[3]!.privateKey)
    const client = await openNewClient({ url: service.url })
    const { address: depositAddress } = await client.receive()
    const hash = await wallet.sender.writeContract({
      address: chain.collectible,
      abi: mintAbi,
      functionName: 'mint',
      args: [depositAddress, ID],
    })
    await wallet.reader.waitForTransactionReceipt({ hash })
    await expect.poll(() => verifyCollectible(client), { timeout: 30_000 }).toMatchObject({ active: true })
    const recipientAddress = privateKeyToAddress(generatePrivateKey())
    const home = `/v1/accounts/${client.accountId}`
    const body = { depositAddress, recipientAddress, tokenId: String(ID) }
    const quote = await client.ask<Quote>('POST', `${home}/collectible/withdraw`, body)

    await service.killAndStart()
    await expect(client.ask('POST', `${home}/collectible/withdraw`, body)).rejects.toThrow(
      'COLLECTIBLE_UNDER_WAY',
    )
    const signed = await signUnchecked(client, quote)
    await service.holdBlocks()
    await client.ask('POST', `${home}/submit`, signed)
    await service.killAndStart()

    await waitUntilConfirmed(client, quote.quoteId, () => {})
    // Submitted again it is the same submission.
    await client.ask('POST', `${home}/submit`, signed)
    const { rpcUrl: now, collectible } = await service.describe()
    const reader = createPublicClient({ transport: http(now) })
    const token = { address: collectible, abi: erc721Abi } as const
    expect(await reader.readContract({ ...token, functionName: 'ownerOf', args: [ID] })).toBe(
      recipientAddress,
    )
    const logs = await reader.getLogs({ address: collectible, event: moved, args: { id: ID }, fromBlock: 0n })
    expect(logs.map(({ args }) => args.to)).toEqual([depositAddress, recipientAddress])
    await expect
      .poll(() => verifyCollectible(client), { timeout: 30_000 })
      .toEqual({ active: false, deposits: [] })
  } finally {
    await service.stop()
  }
})
