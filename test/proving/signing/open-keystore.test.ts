import { createCipheriv, pbkdf2Sync, scryptSync } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { expect, test } from 'vitest'
import { KeystoreError, openKeystore } from '../../../proving/signing/open-keystore.ts'
import { PASSWORD, pbkdf2Keystore, scryptKeystore, SECRET, SHORT_SECRET, shortKeystore } from './keystores.ts'

const open = (content: unknown, password = PASSWORD) => openKeystore(JSON.stringify(content), password)

function complaint(content: unknown, password?: string): string {
  try {
    open(content, password)
  } catch (error) {
    expect(error).toBeInstanceOf(KeystoreError)
    return (error as Error).message
  }
  throw new Error('the key file was opened')
}

/** Encrypts as the definition specifies. */
function seal(secret: Buffer, derived: Buffer, kdf: string, kdfparams: object): unknown {
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.alloc(16, 9))
  const ciphertext = cipher.update(secret)
  const mac = Buffer.from(keccak_256(Buffer.concat([derived.subarray(16), ciphertext]))).toString('hex')
  const cipherparams = { iv: '09'.repeat(16) }
  return {
    version: 3,
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams,
      ciphertext: ciphertext.toString('hex'),
      kdf,
      kdfparams,
      mac,
    },
  }
}

/** A copy with one member of its `crypto` changed. */
function change(path: string, value: unknown): unknown {
  const copy = structuredClone(path.startsWith('kdfparams.c') ? pbkdf2Keystore : scryptKeystore)
  const parts = path.split('.')
  const last = parts.pop() as string
  const parent = parts.reduce<Record<string, unknown>>(
    (at, part) => at[part] as Record<string, unknown>,
    copy.crypto,
  )
  parent[last] = value
  return copy
}

test('the published test vectors can be decrypted', () => {
  expect(open(pbkdf2Keystore)).toBe(SECRET)
  expect(open(scryptKeystore)).toBe(SECRET)
  expect(open(shortKeystore, 'foo')).toBe(SHORT_SECRET)
})

test('a file with the usual scrypt cost can be decrypted', () => {
  const parameters = { N: 2 ** 18, r: 8, p: 1, maxmem: 2 ** 30 }
  const derived = scryptSync('pässword', Buffer.alloc(32, 7), 32, parameters)
  const kdfparams = { n: 2 ** 18, r: 8, p: 1, dklen: 32, salt: '07'.repeat(32) }
  expect(open(seal(Buffer.alloc(32, 0x11), derived, 'scrypt', kdfparams), 'pässword')).toBe(
    `0x${'11'.repeat(32)}`,
  )
})

test('unknown members and upper-case digits are accepted', () => {
  const { crypto, ...rest } = pbkdf2Keystore
  const mac = crypto.mac.toUpperCase()
  expect(open({ ...rest, address: '008aeeda', name: 'till', crypto: { ...crypto, mac } })).toBe(SECRET)
})

test.each(['', 'testpassworD', 'testpassword '])('the password %j is refused', (password) => {
  expect(complaint(pbkdf2Keystore, password)).toBe('the password is wrong')
})

test('a changed ciphertext is detected', () => {
  const { crypto } = pbkdf2Keystore
  const altered = { ...pbkdf2Keystore, crypto: { ...crypto, ciphertext: `00${crypto.ciphertext.slice(2)}` } }
  expect(complaint(altered)).toBe('the password is wrong')
})

test.each<[string, unknown, RegExp]>([
  ['kdf', 'argon2id', /crypto\.kdf: is neither scrypt nor pbkdf2/],
  ['cipher', 'aes-256-gcm', /crypto\.cipher/],
  ['ciphertext', 'ab'.repeat(33), /crypto\.ciphertext: is not hex of 1 to 32 bytes/],
  ['mac', 'zz'.repeat(32), /crypto\.mac/],
  ['cipherparams.iv', '00', /crypto\.cipherparams\.iv/],
  ['kdfparams.dklen', 64, /crypto\.kdfparams\.dklen/],
  ['kdfparams.salt', '', /crypto\.kdfparams\.salt/],
  ['kdfparams.c', 1e9, /crypto\.kdfparams\.c/],
  ['kdfparams.c', 0, /crypto\.kdfparams\.c/],
  ['kdfparams.n', 2 ** 30, /cost .* beyond/],
  ['kdfparams.r', 2 ** 20, /cost .* beyond/],
  ['kdfparams.p', 2 ** 20, /cost .* beyond/],
  ['kdfparams.n', 1000, /power of two/],
  ['kdfparams.n', 2 ** 60, /crypto\.kdfparams\.n/],
  ['kdfparams.n', -2, /crypto\.kdfparams\.n/],
])('crypto.%s = %j is refused before any work', (path, value, reason) => {
  expect(complaint(change(path, value))).toMatch(reason)
})

test('a file in another format is refused as no key file', () => {
  expect(() => openKeystore('not json', PASSWORD)).toThrow(/not JSON/)
  expect(complaint({ ...pbkdf2Keystore, version: 1 })).toMatch(/version/)
  for (const content of [null, [], 'text', {}, { version: 3 }])
    expect(complaint(content)).toMatch(/no version 3/)
})

test('a file that holds no private key of the curve is refused', () => {
  const { crypto } = pbkdf2Keystore
  const { salt, c } = crypto.kdfparams
  const derived = pbkdf2Sync(PASSWORD, Buffer.from(salt, 'hex'), c, 32, 'sha256')
  for (const secret of [Buffer.alloc(32, 0xff), Buffer.alloc(32)])
    expect(complaint(seal(secret, derived, 'pbkdf2', crypto.kdfparams))).toMatch(/no private key/)
})
