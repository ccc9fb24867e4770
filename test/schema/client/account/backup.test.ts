import { createDecipheriv, pbkdf2Sync } from 'node:crypto'
import { expect, it } from 'vitest'
import { readBackup, writeBackup } from '../../../../schema/client/account/backup.ts'

const CHAIN = {
  chainId: 1,
  name: 'Ethereum',
  nativeSymbol: 'ETH',
  entrypoint: `0x${'3'.repeat(40)}`,
} as const
const KEYS = { spendKey: `0x${'1'.repeat(64)}`, viewKey: `0x${'2'.repeat(64)}` } as const

it('a backup opens by its description alone, without the wallet', async () => {
  const text = await writeBackup({ keys: KEYS, chains: [CHAIN] }, 'correct horse')
  const file = JSON.parse(text) as Record<'salt' | 'iv' | 'sealed', string> & { iterations: number }
  const [salt, iv, sealed] = [file.salt, file.iv, file.sealed].map((part) => Buffer.from(part, 'base64'))
  const key = pbkdf2Sync('correct horse', salt!, file.iterations, 32, 'sha256')
  const decipher = createDecipheriv('aes-256-gcm', key, iv!)
  decipher.setAuthTag(sealed!.subarray(-16))
  const opened = Buffer.concat([decipher.update(sealed!.subarray(0, -16)), decipher.final()])
  expect(JSON.parse(opened.toString())).toEqual({ ...KEYS, chains: [CHAIN] })
  expect(file.iterations).toBeGreaterThanOrEqual(600_000)
  expect(text).not.toMatch(/1{8}|2{8}/)
})

it('a backup gives its keys to its password, and nothing to another or for another text', async () => {
  const text = await writeBackup({ keys: KEYS, chains: [CHAIN] }, 'correct horse')
  expect(await readBackup(text, 'correct horse')).toEqual({ keys: KEYS, chains: [CHAIN] })
  expect(await readBackup(text, 'battery staple')).toBeNull()
  const changed = { ...(JSON.parse(text) as object), sealed: Buffer.alloc(200).toString('base64') }
  expect(await readBackup(JSON.stringify(changed), 'correct horse')).toBeNull()
  expect(await readBackup('{}', 'correct horse')).toBeNull()
})
