import { execFile } from 'node:child_process'
import { cp, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundlePackages } from '../../gateway/bundle-packages.mjs'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
let folder: string
let modules: string

/** An installation of one package as npm leaves it, whose files belong to another installation as well. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-packages-'))
  modules = join(folder, 'node_modules')
  const from = join(MODULES, 'jose')
  await cp(from, join(folder, 'other'), { recursive: true, filter: (path) => !path.includes('_bundle') })
  const manifest = await readFile(join(from, 'package.json'), 'utf8')
  const unbundled = manifest.replaceAll(
    /\.\/_bundle\/([^"]+)\.mjs/g,
    (_, name: string) => `./${name.replaceAll('-', '/')}.js`,
  )
  await writeFile(join(folder, 'other', 'package.json'), unbundled)
  await mkdir(modules)
  await cp(join(folder, 'other'), join(modules, 'jose'), { recursive: true })
  await rm(join(modules, 'jose', 'package.json'))
  await link(join(folder, 'other', 'package.json'), join(modules, 'jose', 'package.json'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(source: string): Promise<unknown> {
  const file = join(folder, 'run.mjs')
  await writeFile(file, source)
  const { stdout } = await promisify(execFile)(process.execPath, [file])
  return JSON.parse(stdout)
}

it('a bundled package has the names that it had, in a few files, and behaves as before', async () => {
  const ask = `import { registerHooks } from 'node:module'
    let count = 0
    registerHooks({ load(url, context, next) { count += 1; return next(url, context) } })
    const jose = await import('jose')
    const { privateKey, publicKey } = await jose.generateKeyPair('ES256')
    const token = await new jose.SignJWT({ a: 1 }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
    const { payload } = await jose.jwtVerify(token, publicKey)
    console.log(JSON.stringify({ count, names: Object.keys(jose).sort(), payload }))`
  const before = (await run(ask)) as { count: number; names: string[]; payload: unknown }
  const failures = await bundlePackages(modules)
  // The other packages are not there.
  expect(failures).toContainEqual(expect.stringMatching(/^viem: .*no such file/))
  expect(failures.filter((failure) => failure.startsWith('jose'))).toEqual([])
  const after = (await run(ask)) as typeof before
  expect(after).toEqual({ ...before, count: expect.any(Number) as number })
  expect(after.payload).toEqual({ a: 1 })
  expect(after.count).toBeLessThan(before.count / 2)
})

it('errors are of one class, whichever door of a bundled package they come through', async () => {
  const same = await run(`import { errors } from 'jose'
    import { JWTExpired } from 'jose/errors'
    console.log(JSON.stringify(errors.JWTExpired === JWTExpired))`)
  expect(same).toBe(true)
})

it('bundling changes no file that another installation is linked to, and is not done twice', async () => {
  expect(await readFile(join(folder, 'other', 'package.json'), 'utf8')).not.toContain('_bundle')
  const bundle = join(modules, 'jose', '_bundle')
  await writeFile(join(bundle, 'kept.txt'), '')
  await bundlePackages(modules)
  expect(await readdir(bundle)).toContain('kept.txt')
})

it('a bundle that was cut short is not used, and made again', async () => {
  const manifest = join(modules, 'jose', 'package.json')
  await rm(manifest)
  await cp(join(folder, 'other', 'package.json'), manifest)
  await writeFile(join(modules, 'jose', '_bundle', 'dist-webapi-index.mjs'), 'broken(')
  expect(await run(`import { SignJWT } from 'jose'; console.log(JSON.stringify(typeof SignJWT))`)).toBe(
    'function',
  )
  await bundlePackages(modules)
  expect(await readFile(manifest, 'utf8')).toContain('_bundle')
  expect(await run(`import { SignJWT } from 'jose'; console.log(JSON.stringify(typeof SignJWT))`)).toBe(
    'function',
  )
})

it('a bundler for browsers gets the files that the package ships', async () => {
  const input = join(folder, 'page.mjs')
  await writeFile(input, `export { SignJWT } from 'jose'`)
  const read: string[] = []
  const bundle = await rolldown({
    input,
    platform: 'browser',
    plugins: [{ name: 'read', load: (id) => void read.push(id) }],
  })
  await bundle.generate()
  await bundle.close()
  expect(read).toContainEqual(expect.stringContaining(join('jose', 'dist', 'webapi', 'index.js')))
  expect(read).not.toContainEqual(expect.stringContaining('_bundle'))
})
