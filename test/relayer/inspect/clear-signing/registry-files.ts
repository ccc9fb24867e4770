import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Content by path; anything but text is written as JSON. */
export type Content = Readonly<Record<string, unknown>>

export const CONTRACT = '0x1111111111111111111111111111111111111111'
export const COMMIT = 'ab'.repeat(20)

const field = { path: 'amount', label: 'Amount', format: 'raw' }

/** A descriptor of calls of one function. */
export const describing = (key: string, more: Record<string, unknown> = {}) => ({
  context: { contract: { deployments: [{ chainId: 1, address: CONTRACT }] } },
  display: { formats: { [key]: { intent: 'Do something', fields: [field] } } },
  ...more,
})

/** A registry with two descriptors, one of which includes a file. */
export const SMALL_REGISTRY: Content = {
  'registry/maker/calldata-bank.json': {
    includes: 'common-bank.json',
    context: { contract: { deployments: [{ chainId: 1, address: CONTRACT }] } },
    display: {
      formats: { 'pay(uint amount)': { intent: 'Pay', fields: [{ path: 'amount', label: 'Sum' }] } },
    },
  },
  'registry/maker/common-bank.json': {
    metadata: { owner: 'Maker' },
    display: { formats: { 'pay(uint amount)': { intent: 'Common', fields: [field] } } },
  },
  'registry/maker/eip712-order.json': {
    context: { eip712: { deployments: [{ chainId: 1, address: CONTRACT }] } },
    display: { formats: { 'Order(uint256 amount)': { intent: 'Order', fields: [field] } } },
  },
  'registry/maker/tests/calldata-bank.tests.json': 'no descriptor',
}

const bytesOf = (content: unknown) =>
  Buffer.isBuffer(content) ? content : typeof content === 'string' ? content : JSON.stringify(content)

/** Writes files to a new folder. */
export async function writeRegistry(files: Content): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'registry-test-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), bytesOf(content))
  }
  return root
}

/** An entry of a tar archive as a stranger may write it. */
export interface Entry {
  path: string
  content?: unknown
  /** '0' is a file, '2' a symbolic link, '5' a folder. */
  type?: string
  link?: string
}

/** Packs a `.tar.gz`. @returns It and its SHA-256. */
export function packArchive(entries: readonly Entry[]): { archive: Buffer; sha256: string } {
  const blocks = entries.flatMap(({ path, content = '', type = '0', link = '' }) => {
    const body = Buffer.from(bytesOf(content))
    const header = Buffer.alloc(512)
    header.write(path, 0, 100)
    header.write('0000644\0', 100)
    header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write(link, 157, 100)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(1_024)]), { level: 1 })
  return { archive, sha256: createHash('sha256').update(archive).digest('hex') }
}
