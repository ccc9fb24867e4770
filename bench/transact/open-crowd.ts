import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi, hexToBytes, type Address, type Hash, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Wallet } from '../../test/devnet/wallet/connect-wallet.ts'
import { askService } from '../../schema/client/requests/ask-service.ts'
import { deriveStealthAccount, privateKeyAt } from '../../schema/client/keys/stealth-keys.ts'
import type { Client } from '../../schema/client/account/open-client.ts'
import { openAccount } from '../../test/relayer/account/open-account.ts'
import { createWallet } from '../../test/relayer/identity/wallet.ts'

/** One of a crowd: each has a network address, and so limits, of its own. */
export type Member = Client & {
  /** A random address, new to the chain. */
  freshAddress(): Address
  /** The same account at another instance of the service. */
  at(url: string): Member
}

/** Opens `count` accounts of one address each, which has `amount` of the token. The service must trust one proxy. */
export async function openCrowd(
  url: string,
  { sender, reader }: Wallet,
  token: Address,
  count: number,
  amount: bigint,
): Promise<Member[]> {
  const members: Member[] = []
  const addresses: Address[] = []
  let last: Hash = '0x'
  for (let index = 0; index < count; index += 1) {
    const member = await openMember(url)
    const { address } = await member.receive()
    const call = { address: token, abi: erc20Abi, functionName: 'transfer' } as const
    last = await sender.writeContract({ ...call, args: [address, amount] })
    members.push(member)
    addresses.push(address)
  }
  await reader.waitForTransactionReceipt({ hash: last })
  for (const member of members) await untilFunded(member)
  return members
}

async function openMember(url: string): Promise<Member> {
  const [spendKey, viewKey]: [Hex, Hex] = [generatePrivateKey(), generatePrivateKey()]
  const childViewKey = privateKeyAt(hexToBytes(viewKey), `m/5564'/0'`)
  const { accountId, headers, path } = await openAccount(url, createWallet(spendKey, viewKey))

  function memberAt(there: string): Member {
    const ask = <Answer>(method: string, to: string, body?: unknown) =>
      askService<Answer>(there, method, to, body, { headers, idempotencyKeys: false })
    return {
      url: there,
      accountId,
      token: (headers['authorization'] ?? '').replace('Bearer ', ''),
      ask,
      receive: () => ask<{ address: Address; nonce: string }>('POST', `${path}/payment-address`, {}),
      chainOf: () => {
        throw new Error('a crowd checks nothing')
      },
      signMessage: () => Promise.reject(new Error('nobody asks a crowd')),
      controlOf: (nonce) => deriveStealthAccount(spendKey, childViewKey, BigInt(nonce)),
      call: () => Promise.reject(new Error('a crowd asks by path')),
      graphql: () => Promise.reject(new Error('a crowd asks by path')),
      follow() {
        throw new Error('a crowd follows nothing')
      },
      noteEntropy() {
        throw new Error('a crowd has no notes')
      },
      freshAddress: () => privateKeyToAddress(generatePrivateKey()),
      at: memberAt,
    }
  }
  return memberAt(url)
}

async function untilFunded({ ask, accountId }: Member): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const held = await ask<{ addresses: unknown[] }>('GET', `/v1/accounts/${accountId}/funded-addresses`)
    if (held.addresses.length === 1) return
    await sleep(300)
  }
  throw new Error('the service does not see what was paid')
}

/** Returns the transaction that executed a quote. @throws Error when none did. */
export async function untilConfirmed(
  { ask, accountId }: Pick<Client, 'ask' | 'accountId'>,
  quoteId: string,
): Promise<Hash> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { status, confirmedTxHash } = await ask<{ status: string; confirmedTxHash: Hash | null }>(
      'GET',
      `/v1/accounts/${accountId}/relay-status/${quoteId}`,
    )
    if (status === 'confirmed' && confirmedTxHash) return confirmedTxHash
    if (status === 'failed') throw new Error('a submission failed')
    await sleep(500)
  }
  throw new Error('a submission did not end')
}
