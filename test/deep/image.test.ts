import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openAccount } from '../relayer/account/open-account.ts'
import { findFreePort } from '../harness/find-free-port.ts'
import { findProgram } from '../harness/find-program.ts'
import { openTestDatabase } from '../harness/open-test-database.ts'
import { startTestDevnet } from '../harness/start-test-devnet.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const USER = 10_001
const MOST_MB = 350
const BASE = 'localhost/stealth-relay-test-base'
const run = promisify(execFile)
const buildah = findProgram('buildah', 'a test of the image')
const mmdebstrap = findProgram('mmdebstrap', 'a test of the image')
/** Layers take gigabytes: on the disk, while the other folders of tests may be in memory. */
const DISK = '/var/tmp'
let env: NodeJS.ProcessEnv

async function ask(...args: string[]): Promise<string> {
  const { stdout } = await run(buildah!, args, { env, cwd: ROOT, maxBuffer: 2 ** 26 })
  return stdout.trim()
}

/** Debian with the Node.js and npm of this machine, and its certificate authorities. */
async function makeBase(folder: string): Promise<void> {
  const root = join(folder, 'base.tar')
  // As small as the images of Debian that registries call slim.
  const left = ['doc', 'locale', 'man'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  const emptied = '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*'
  await run(mmdebstrap!, [
    '--variant=minbase',
    '--include=ca-certificates',
    ...left,
    emptied,
    'bookworm',
    root,
  ])
  const npm = dirname(dirname((await run('sh', ['-c', 'readlink -f "$(command -v npm)"'])).stdout.trim()))
  const base = await ask('from', 'scratch')
  await ask('add', base, root, '/')
  await ask('copy', base, process.execPath, '/usr/local/bin/node')
  await ask('copy', base, npm, '/usr/local/lib/node_modules/npm')
  await ask('run', base, '--', 'ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm')
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  if (authorities) await ask('copy', base, authorities, '/usr/local/share/authorities.pem')
  await ask('config', '--env', 'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', base)
  if (authorities) await ask('config', '--env', 'NODE_EXTRA_CA_CERTS=/usr/local/share/authorities.pem', base)
  await ask('commit', '--rm', base, BASE)
}

/** The address of a server of this machine that a container reaches, instead of its socket. */
function overTcp(address: string): string {
  const url = new URL(address)
  url.hostname = '127.0.0.1'
  return url.href
}

const canBuild = Boolean(buildah && mmdebstrap)
let folder: string

/** Builds an image, with the settings that npm needs on this machine. */
async function build(stage: string): Promise<void> {
  const settings = join(homedir(), '.npmrc')
  const secret = existsSync(settings) ? `--secret id=npmrc,src=${settings}` : ''
  await run(process.execPath, ['gateway/build/build-image.ts', stage], {
    cwd: ROOT,
    // Both images have the same first stages.
    env: { ...env, BASE, BUILD_OPTIONS: `--layers --isolation chroot ${secret}` },
    maxBuffer: 2 ** 26,
  })
}

/**
 * Runs an image's entry point with these variables and mounts, until the service at `url` is ready.
 * @returns The container.
 */
async function start(
  stack: AsyncDisposableStack,
  image: string,
  given: { url: string; variables: Record<string, string>; mounts?: readonly string[] },
): Promise<string> {
  const container = stack.adopt(await ask('from', image), (name) => ask('rm', name).then(() => undefined))
  const described = JSON.parse(await ask('inspect', container)) as {
    OCIv1: { config: { Entrypoint: string[] } }
  }
  const entry = described.OCIv1.config.Entrypoint
  const variables = Object.entries(given.variables).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const mounts = (given.mounts ?? []).flatMap((mount) => ['--volume', mount])
  const child = spawn(buildah!, ['run', ...variables, ...mounts, container, '--', ...entry], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  stack.defer(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(output)
      expect((await fetch(`${given.url}/health/ready`)).status).toBe(200)
    },
    { timeout: 180_000, interval: 500 },
  )
  return container
}

beforeAll(async () => {
  if (!canBuild) return
  folder = await mkdtemp(join(DISK, 'image-'))
  const storage = join(folder, 'storage.conf')
  const place = `graphroot = "${join(folder, 'graph')}"\nrunroot = "${join(folder, 'run')}"`
  await writeFile(storage, `[storage]\ndriver = "vfs"\n${place}\n`)
  // Machines without a container registry and without the rights of a container engine build this way.
  env = { ...process.env, CONTAINERS_STORAGE_CONF: storage, BUILDAH_ISOLATION: 'chroot' }
  await makeBase(folder)
}, 10 * 60_000)
afterAll(async () => {
  if (!canBuild) return
  await rm(folder, { recursive: true, force: true })
}, 5 * 60_000)

test.runIf(canBuild)(
  'the image is small, runs without rights on a root that it cannot write, and serves accounts',
  async () => {
    await using stack = new AsyncDisposableStack()
    await build('service')
    const size = await ask('images', '--format', '{{.Size}}', 'localhost/stealth-relay:latest')
    expect(size).toMatch(/ MB$/)
    expect(Number.parseFloat(size)).toBeLessThanOrEqual(MOST_MB)

    const devnet = stack.use(await startTestDevnet())
    const database = stack.adopt(await openTestDatabase(), ({ drop }) => drop())
    const [port, operatorPort] = [await findFreePort(), await findFreePort()]
    const secrets = join(folder, 'secrets')
    await mkdir(secrets)
    await writeFile(join(secrets, 'master-key'), randomBytes(32).toString('hex'))
    await chown(secrets, USER, USER)
    await chmod(secrets, 0o500)
    const config = join(folder, 'config.json')
    const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
    const identity = { masterKeys: [{ $file: '/run/secrets/master-key' }] }
    await writeFile(config, JSON.stringify({ identity, chains: devnet.devnet.chains }, asText))
    const url = `http://127.0.0.1:${port}`
    const container = await start(stack, 'localhost/stealth-relay', {
      url,
      variables: {
        CONFIG: '/etc/stealth-relay.json',
        DATABASE_URL: overTcp(database.url),
        PORT: String(port),
        OPERATOR_PORT: String(operatorPort),
      },
      mounts: [`${config}:/etc/stealth-relay.json:ro`, `${secrets}:/run/secrets:ro`],
    })
    const { send, path } = await openAccount(url)
    expect(await send('POST', `${path}/payment-address`, {})).toMatchObject({ status: 201 })
    expect((await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).status).toBe(200)
    // Nothing of the image is writable for its user.
    const find = 'find /app /etc /usr -writable -not -type l | head -3'
    expect(await ask('run', container, '--', 'sh', '-c', find)).toBe('')
  },
)

test.runIf(canBuild)(
  'the image of the devnet starts chains, a database and the wallet by itself, as its own user',
  async () => {
    await using stack = new AsyncDisposableStack()
    await build('devnet')
    const [port, operatorPort] = [await findFreePort(), await findFreePort()]
    const url = `http://127.0.0.1:${port}`
    // Its ports are those of this machine, where its defaults may be taken.
    const variables = { PORT: String(port), OPERATOR_PORT: String(operatorPort), DEVNET_PORTS: '0,0' }
    const container = await start(stack, 'localhost/stealth-relay:devnet', { url, variables })
    expect(await ask('run', container, '--', 'id', '-u')).toBe(String(USER))
    const { send, path } = await openAccount(url)
    expect(await send('POST', `${path}/payment-address`, {})).toMatchObject({ status: 201 })
    const wallet = await fetch(`${url}/wallet`)
    expect([wallet.status, wallet.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    const chains = (await (await fetch(`${url}/v1/supported-chains`)).json()) as unknown
    expect(JSON.stringify(chains)).toContain('31337')
  },
)
