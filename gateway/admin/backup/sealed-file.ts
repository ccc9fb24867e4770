import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { AdminError } from '../command.ts'

/** Makes a pair of keys: the recipient encrypts and may be anywhere, the identity decrypts. */
export async function createBackupKey(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/**
 * Writes a file that only the owner of a recipient's identity can read: compressed, and encrypted by age. It appears
 * under its name once it is whole and on the disk.
 *
 * @throws AdminError if the recipient is no key of age.
 */
export async function writeSealedFile(
  file: string,
  recipient: string,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const encrypter = new Encrypter()
  try {
    encrypter.addRecipient(recipient)
  } catch {
    throw new AdminError('--recipient is no key of age: expected age1…, as `backup key` prints it')
  }
  const draft = `${file}.part`
  try {
    await pipeline(
      content,
      createGzip(),
      async function* (packed: AsyncIterable<Uint8Array>) {
        yield* await encrypter.encrypt(toStream(packed))
      },
      createWriteStream(draft, { flags: 'w', mode: 0o600, flush: true }),
    )
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/**
 * Reads the content of such a file.
 *
 * @param identityFile Has the identity on a line of its own, as `age-keygen` writes it.
 * @throws AdminError if the identity cannot be read.
 */
export async function openSealedFile(
  file: string,
  identityFile: string,
): Promise<(use: (content: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<void>> {
  const text = await readFile(identityFile, 'utf8').catch(() => '')
  const identity = text.split('\n').find((line) => line.startsWith('AGE-SECRET-KEY-1'))
  if (!identity) throw new AdminError(`${identityFile} has no line AGE-SECRET-KEY-1…`)
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity.trim())
  return (use) =>
    pipeline(
      createReadStream(file),
      async function* (sealed: AsyncIterable<Uint8Array>) {
        yield* await decrypter.decrypt(toStream(sealed))
      },
      createGunzip(),
      use,
    )
}

/** The library wants the global's type, which lacks `from`. */
const toStream = (chunks: AsyncIterable<Uint8Array>) =>
  ReadableStream.from(chunks) as globalThis.ReadableStream<Uint8Array>
