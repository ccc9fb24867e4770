import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createVault, VaultError } from '../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../relayer/identity/key-wrapper.ts'

const [older, newer] = [createKeyWrapper(randomBytes(32)), createKeyWrapper(randomBytes(32))]
const owner = randomUUID()
const secret = Buffer.from('the key of somebody')

describe('a vault', () => {
  const vault = createVault([older])

  it('decrypts its own ciphertext, which reveals nothing', async () => {
    const sealed = await vault.seal(owner, secret)
    expect(Buffer.from(await vault.open(owner, sealed))).toEqual(secret)
    expect(sealed.bytes.includes(secret)).toBe(false)
    const again = await vault.seal(owner, secret)
    expect(again.bytes.equals(sealed.bytes)).toBe(false)
  })

  it('decrypts for the owner only', async () => {
    const sealed = await vault.seal(owner, secret)
    await expect(vault.open(randomUUID(), sealed)).rejects.toThrow(VaultError)
  })

  it('refuses every altered byte and every length', async () => {
    const sealed = await vault.seal(owner, secret)
    for (let at = 0; at < sealed.bytes.length; at += 1) {
      const bytes = Buffer.from(sealed.bytes)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      await expect(vault.open(owner, { ...sealed, bytes })).rejects.toThrow(VaultError)
      await expect(vault.open(owner, { ...sealed, bytes: sealed.bytes.subarray(0, at) })).rejects.toThrow(
        VaultError,
      )
    }
  })

  it('decrypts nothing with another master key or none', async () => {
    const sealed = await vault.seal(owner, secret)
    const stranger = createVault([newer])
    await expect(stranger.open(owner, sealed)).rejects.toThrow(/identity\.masterKeys/)
    await expect(stranger.open(owner, { ...sealed, masterKeyId: newer.id })).rejects.toThrow(VaultError)
  })

  it('re-wraps under the newest master key, so that the older one can be dropped', async () => {
    const sealed = await vault.seal(owner, secret)
    const both = createVault([newer, older])
    const rewrapped = await both.rewrap(owner, sealed)
    expect(rewrapped?.masterKeyId).toBe(newer.id)
    expect(Buffer.from(await createVault([newer]).open(owner, rewrapped!))).toEqual(secret)
    expect(await both.rewrap(owner, rewrapped!)).toBe(null)
    await expect(both.rewrap(randomUUID(), sealed)).rejects.toThrow(VaultError)
  })
})
