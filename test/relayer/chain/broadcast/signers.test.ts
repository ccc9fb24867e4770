import fc from 'fast-check'
import { bytesToHex, recoverTransactionAddress, type TransactionSerializable } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { expect, it } from 'vitest'
import { openSignerAccount } from '../../../../relayer/chain/broadcast/signers.ts'

const key = generatePrivateKey()
const account = openSignerAccount(key)
const viems = privateKeyToAccount(key)
const bytes = (least: number, most: number) =>
  fc.uint8Array({ minLength: least, maxLength: most }).map((some) => bytesToHex(some))
const call = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 31 }),
  nonce: fc.nat(),
  to: bytes(20, 20),
  data: bytes(0, 300),
  value: fc.bigInt(0n, 2n ** 96n),
  gas: fc.bigInt(21_000n, 16_777_216n),
  maxFeePerGas: fc.bigInt(1n, 2n ** 64n),
  maxPriorityFeePerGas: fc.constant(1n),
})

it('a signer signs transactions as viem does, byte for byte', async () => {
  expect(account.address).toBe(viems.address)
  await fc.assert(
    fc.asyncProperty(call, async (fields) => {
      const transaction = { ...fields, type: 'eip1559' } as const
      const raw = await account.signTransaction(transaction)
      expect(raw).toBe(await viems.signTransaction(transaction))
      expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(
        account.address,
      )
    }),
    { numRuns: 300 },
  )
})

it('a signer signs transactions with delegations as viem does', async () => {
  const hash = `0x${'11'.repeat(32)}` as const
  const { r, s, yParity } = await sign({ hash, privateKey: generatePrivateKey() })
  const transaction: TransactionSerializable = {
    type: 'eip7702',
    chainId: 31_337,
    nonce: 7,
    to: account.address,
    gas: 100_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
    authorizationList: [{ address: viems.address, chainId: 31_337, nonce: 3, r, s, yParity: yParity ?? 0 }],
  }
  expect(await account.signTransaction(transaction)).toBe(await viems.signTransaction(transaction))
})
