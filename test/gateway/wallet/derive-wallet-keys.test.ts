import { hkdfSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { deriveWalletKeys } from '../../../gateway/wallet/keys/derive-wallet-keys.ts'

it('a secret gives the same two keys for good: with others, every passkey would open another wallet', async () => {
  const secret = new Uint8Array(32).fill(7)
  const derive = (use: string) =>
    `0x${Buffer.from(hkdfSync('sha256', secret, new Uint8Array(32), `stealth-relay wallet v1 ${use}`, 32)).toString('hex')}`
  const keys = await deriveWalletKeys(secret)
  expect(keys).toEqual({ spendKey: derive('spend'), viewKey: derive('view') })
  expect(keys.spendKey).toBe('0xd8557baa980ee280ade8f2014a3289d8928a24198d44a1422d0dd325985b2782')
})
