import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { openMnemonic } from '../derive-key.ts'

test('accounts of a mnemonic are those that wallets derive', () => {
  const mnemonics = [
    'test test test test test test test test test test test junk',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
  ]
  for (const mnemonic of mnemonics) {
    const account = openMnemonic(mnemonic)
    for (const addressIndex of [0, 1, 25, 2 ** 31 - 1]) {
      const expected = mnemonicToAccount(mnemonic, { addressIndex })
      const key = Buffer.from(expected.getHdKey().privateKey!).toString('hex')
      expect(account(addressIndex)).toEqual({ address: expected.address, privateKey: `0x${key}` })
    }
  }
})
