import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildDist } from '../../../gateway/build/build-dist.ts'
import { readBuildInfo } from '../../../gateway/observation/build-info.ts'
import { inheritedEnvironment } from '../../harness/inherited-environment.ts'
import { openEmptyDatabase } from '../../harness/open-test-database.ts'
import { post, relayBody, untilFinal } from '../../harness/relay-requests.ts'
import { resumeVectorDeposits } from '../../harness/resume-service-chains.ts'
import { createServiceProcess, DIST_ARGUMENTS, VECTOR_DEVNET } from '../../harness/service-process.ts'
import { loadRelayVectors, type RelayVector } from '../../vectors/load-relay-vectors.ts'

let folder: string
let dist: string

/** Outside the checkout, so that no package is found but those of the folder itself. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-dist-'))
  dist = join(folder, 'dist')
  await buildDist(dist)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Arguments of `npm run start:dist` for this folder. */
const startArguments = () => DIST_ARGUMENTS.map((argument) => argument.replace(/^dist/, dist))

it('dist/ runs the whole service: migrations, threads, pages, the wallet and a relay', async () => {
  const database = await openEmptyDatabase()
  const dataDir = join(folder, 'data')
  await resumeVectorDeposits(dataDir)
  const env = { ...VECTOR_DEVNET, DATA_DIR: dataDir, DATABASE_URL: database.url }
  const service = await createServiceProcess(env, startArguments())
  try {
    await service.start()
    const [vector] = loadRelayVectors().relays as [RelayVector]
    const answer = await post(service.url, '/relayer/request', await relayBody(vector))
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(await untilFinal(service.url, answer.body['requestId'] as string)).toMatchObject({
      status: 'confirmed',
    })
    const graph = await post(service.url, '/graphql', { query: '{ __typename }' })
    expect(graph).toEqual({ status: 200, body: { data: { __typename: 'Query' } } })
    const { version, commit } = readBuildInfo()
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(await (await fetch(`${service.url}/version`)).json()).toEqual({ version, commit })
    const page = await (await fetch(`${service.url}/docs`)).text()
    const linked = [...page.matchAll(/(?:src|href)="(\/(?:docs|assets)\/[^"]+)"/g)].map(([, path]) => path)
    expect(linked.length).toBeGreaterThan(1)
    const wallet = await (await fetch(`${service.url.replace('127.0.0.1', 'localhost')}/wallet`)).text()
    const built = [...wallet.matchAll(/(?:src|href)="(\/wallet\/assets\/[^"]+)"/g)].map(([, path]) => path)
    expect(built.length).toBeGreaterThan(2)
    for (const path of [...linked, ...built])
      expect((await fetch(`${service.url}${path}`)).status, path).toBe(200)
  } finally {
    expect(await service.stop()).toBe(0)
    await database.drop()
  }
})

it('a stack trace from dist/ names the lines of the source', async () => {
  const showCaller = `import { Server } from 'node:net'
    Server.prototype.listen = () => { console.error(new Error('here').stack); process.exit(3) }`
  const preload = `data:text/javascript,${encodeURIComponent(showCaller)}`
  const env = { ...inheritedEnvironment(), DATA_DIR: join(folder, 'none'), DEVNET_PORTS: '0' }
  const run = promisify(execFile)(process.execPath, ['--import', preload, ...startArguments()], { env })
  const { stderr } = await run.catch((error: { stderr: string }) => error)
  expect(stderr).toMatch(/at .*\/gateway\/[\w/-]+\.ts:\d+:\d+/)
})

it('dist/ has the licence of every bundled package, and no package that it does not need', async () => {
  const licences = await readFile(join(dist, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
  for (const name of ['viem', 'graphql', 'slonik', 'snarkjs', 'zod']) expect(licences).toContain(`\n${name} `)
  const copied = await readdir(join(dist, 'node_modules'))
  expect(copied.toSorted()).toEqual(['@0xbow', '@uniswap', 'node-gyp-build', 'piscina', 'secp256k1'])
})
