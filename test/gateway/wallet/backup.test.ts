import { createDecipheriv, hkdfSync, pbkdf2Sync } from 'node:crypto'
import { expect, it } from 'vitest'
import { readBackup, writeBackup } from '../../../gateway/wallet/keys/backup.ts'
import { deriveWalletKeys } from '../../../gateway/wallet/keys/derive-wallet-keys.ts'

const KEYS = { spendKey: `0x${'1'.repeat(64)}`, viewKey: `0x${'2'.repeat(64)}` } as const

it('a backup opens by its description alone, without the wallet', async () => {
  const text = await writeBackup(KEYS, 'correct horse')
  const file = JSON.parse(text) as Record<'salt' | 'iv' | 'sealed', string> & { iterations: number }
  const [salt, iv, sealed] = [file.salt, file.iv, file.sealed].map((part) => Buffer.from(part, 'base64'))
  const key = pbkdf2Sync('correct horse', salt!, file.iterations, 32, 'sha256')
  const decipher = createDecipheriv('aes-256-gcm', key, iv!)
  decipher.setAuthTag(sealed!.subarray(-16))
  const opened = Buffer.concat([decipher.update(sealed!.subarray(0, -16)), decipher.final()])
  expect(JSON.parse(opened.toString())).toEqual(KEYS)
  expect(file.iterations).toBeGreaterThanOrEqual(600_000)
  expect(text).not.toMatch(/1{8}|2{8}/)
})

it('a backup gives its keys to its password, and nothing to another or for another text', async () => {
  const text = await writeBackup(KEYS, 'correct horse')
  expect(await readBackup(text, 'correct horse')).toEqual(KEYS)
  expect(await readBackup(text, 'battery staple')).toBeNull()
  const changed = { ...(JSON.parse(text) as object), sealed: Buffer.alloc(200).toString('base64') }
  expect(await readBackup(JSON.stringify(changed), 'correct horse')).toBeNull()
  expect(await readBackup('{}', 'correct horse')).toBeNull()
})

it('a secret gives the same two keys for good: with others, every passkey would open another wallet', async () => {
  const secret = new Uint8Array(32).fill(7)
  const derive = (use: string) =>
    `0x${Buffer.from(hkdfSync('sha256', secret, new Uint8Array(32), `stealth-relay wallet v1 ${use}`, 32)).toString('hex')}`
  const keys = await deriveWalletKeys(secret)
  expect(keys).toEqual({ spendKey: derive('spend'), viewKey: derive('view') })
  expect(keys.spendKey).toBe('0xd8557baa980ee280ade8f2014a3289d8928a24198d44a1422d0dd325985b2782')
})
