import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { loadEcdsa } from '../../../proving/signing/ecdsa.ts'

interface Lock {
  packages: Record<string, { name?: string; resolved?: string }>
}

const readLock = async () =>
  JSON.parse(await readFile(new URL('../../../package-lock.json', import.meta.url), 'utf8')) as Lock

it('elliptic is not installed: signatures are made by the native binding', async () => {
  const { packages } = await readLock()
  const places = Object.entries(packages).filter(
    ([path, { name }]) => name === 'elliptic' || path.endsWith('node_modules/elliptic'),
  )
  expect(places).toEqual([
    ['node_modules/elliptic', { resolved: 'proving/signing/no-elliptic', link: true }],
    ['proving/signing/no-elliptic', expect.objectContaining({ name: 'elliptic' })],
  ])
  expect((await loadEcdsa()).native).toBe(true)
})

it('the lockfile names no registry', async () => {
  const { packages } = await readLock()
  const named = Object.values(packages).flatMap(({ resolved }) => resolved ?? [])
  expect(named.toSorted()).toEqual(['proving/signing/no-elliptic', 'relayer/identity/no-ethers'])
})
