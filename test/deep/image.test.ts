import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
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
// Machines without a container registry and without the rights of a container engine build this way.
const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' }

async function ask(...args: string[]): Promise<string> {
  const { stdout } = await run(buildah!, args, { env, cwd: ROOT, maxBuffer: 2 ** 26 })
  return stdout.trim()
}

/** Debian with the Node.js and npm of this machine, and its certificate authorities. */
async function makeBase(folder: string): Promise<void> {
  const root = join(folder, 'base.tar')
  await run(mmdebstrap!, ['--variant=minbase', '--include=ca-certificates', 'bookworm', root])
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

test.runIf(buildah && mmdebstrap)(
  'the image is small, runs without rights on a root that it cannot write, and serves accounts',
  async () => {
    await using stack = new AsyncDisposableStack()
    const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'image-')), (path) =>
      rm(path, { recursive: true, force: true }),
    )
    await makeBase(folder)
    stack.defer(() => ask('rmi', '--force', BASE, 'stealth-relay').then(() => undefined))
    const settings = join(homedir(), '.npmrc')
    const secret = existsSync(settings) ? `--secret id=npmrc,src=${settings}` : ''
    await run(process.execPath, ['gateway/build/build-image.ts'], {
      cwd: ROOT,
      env: { ...env, BASE, BUILD_OPTIONS: `--isolation chroot ${secret}` },
      maxBuffer: 2 ** 26,
    })
    const size = await ask('images', '--format', '{{.Size}}', 'localhost/stealth-relay')
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
    const container = stack.adopt(await ask('from', 'localhost/stealth-relay'), (name) =>
      ask('rm', name).then(() => undefined),
    )
    const given = {
      CONFIG: '/etc/stealth-relay.json',
      DATABASE_URL: overTcp(database.url),
      PORT: String(port),
      OPERATOR_PORT: String(operatorPort),
    }
    const entry = JSON.parse(
      await ask('inspect', '--format', '{{json .OCIv1.Config.Entrypoint}}', container),
    ) as string[]
    const variables = Object.entries(given).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const mounts = [`${config}:/etc/stealth-relay.json:ro`, `${secrets}:/run/secrets:ro`].flatMap((mount) => [
      '--volume',
      mount,
    ])
    const child = spawn(buildah!, ['run', ...variables, ...mounts, container, '--', ...entry], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    stack.defer(async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    })
    const url = `http://127.0.0.1:${port}`
    await vi.waitFor(
      async () => {
        if (child.exitCode !== null) throw new Error(output)
        expect((await fetch(`${url}/health/ready`)).status).toBe(200)
      },
      { timeout: 120_000, interval: 500 },
    )
    const { send, path } = await openAccount(url)
    expect(await send('POST', `${path}/payment-address`, {})).toMatchObject({ status: 200 })
    expect((await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).status).toBe(200)
    // Nothing of the image is writable for its user.
    const writable = await ask(
      'run',
      container,
      '--',
      'sh',
      '-c',
      'find /app /etc /usr -writable -not -type l | head -3',
    )
    expect(writable).toBe('')
  },
)
