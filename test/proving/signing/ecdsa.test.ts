import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

it('signatures are made by the native binding, and elliptic is never loaded', async () => {
  const code = `
    import { createRequire } from 'node:module'
    import { loadEcdsa } from './proving/signing/ecdsa.ts'
    const { native, sign } = await loadEcdsa()
    sign(new Uint8Array(32).fill(1), new Uint8Array(32).fill(2))
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    console.log(JSON.stringify({ native, loaded }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    cwd: ROOT,
  })
  const { native, loaded } = JSON.parse(stdout) as { native: boolean; loaded: string[] }
  expect(native).toBe(true)
  expect(loaded).toContainEqual(expect.stringContaining('/secp256k1/'))
  expect(loaded.filter((path) => path.includes('/elliptic/') || path.endsWith('elliptic.js'))).toEqual([])
})
