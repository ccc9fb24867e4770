import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { redact } from '../../../gateway/config/redact-config.ts'
import { identityConfig } from '../../../relayer/identity/config.ts'
import { openMasterKeys } from '../../../relayer/identity/open-master-keys.ts'

const [one, other] = [Buffer.alloc(32, 0xa1), Buffer.alloc(32, 0xb2)]

it('master keys may be hex or base64, newest first, and are never shown', () => {
  const config = loadConfig({ MASTER_KEYS: `0x${one.toString('hex')}, ${other.toString('base64')}` })
  expect(config.identity.masterKeys).toEqual([one, other])
  const shown = JSON.stringify(redact(config))
  for (const key of [one, other])
    for (const form of [key.toString('hex'), key.toString('base64'), JSON.stringify([...key]).slice(1, -1)])
      expect(shown).not.toContain(form)
})

it.each(['', ' ', 'a1'.repeat(31), 'a1'.repeat(33), 'z'.repeat(64), one.toString('base64').slice(4)])(
  'the master key %j is refused without repeating it',
  (text) => {
    if (text.trim() === '') {
      expect(() => identityConfig.parse({ masterKeys: [text] })).toThrow(/32-byte/)
      return
    }
    const load = () => loadConfig({ MASTER_KEYS: `${one.toString('hex')},${text}` })
    expect(load).toThrow(/MASTER_KEYS .*32 bytes/)
    expect(load).not.toThrow(text)
  },
)

it.each(['https://app.example', 'app.example/path', 'app.example:port', ''])(
  '%j is refused as a domain',
  (domain) => {
    expect(identityConfig.safeParse({ domains: [domain] }).success).toBe(false)
  },
)

it.each([
  [{ clientId: 'x', redirectUris: ['https://a.example/#part'] }],
  [{ clientId: 'x', redirectUris: [] }],
])('%j is refused as an OAuth client', (client) => {
  expect(identityConfig.safeParse({ oauthClients: [client] }).success).toBe(false)
})

it('the key in the data folder is created once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'master-key-test-'))
  try {
    const [made] = openMasterKeys(undefined, dataDir)
    expect(openMasterKeys(undefined, dataDir)[0].id).toBe(made.id)
    expect(openMasterKeys([one], dataDir)[0].id).not.toBe(made.id)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
