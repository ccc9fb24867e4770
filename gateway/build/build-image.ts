import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** The images by the stage of Dockerfile that makes them. */
const NAMES: Readonly<Record<string, string>> = { service: 'stealth-relay', devnet: 'stealth-relay:devnet' }
const BUILDERS = ['docker', 'podman', 'buildah']

/**
 * Builds an image by the first builder that this machine has. The variable BASE replaces the base with Node.js;
 * BUILD_OPTIONS are further arguments of the builder, such as a secret with npm's settings.
 */
function buildImage(stage: string): void {
  const name = NAMES[stage]
  if (!name) throw new Error(`there is no image "${stage}": ${Object.keys(NAMES).join(', ')}`)
  // `--version` would also find a client of Docker without an engine.
  const builder = BUILDERS.find((program) => spawnSync(program, ['version']).status === 0)
  if (!builder) throw new Error(`install one of ${BUILDERS.join(', ')}: an image is built by it`)
  const { BASE: base, BUILD_OPTIONS: more = '' } = process.env
  const args = [
    'build',
    ...more.split(' ').filter(Boolean),
    ...(base ? ['--build-arg', `BASE=${base}`] : []),
    '--target',
    stage,
    '--tag',
    name,
    '--file',
    'Dockerfile',
    '.',
  ]
  const { status } = spawnSync(builder, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${builder} did not build ${name}`)
}

try {
  buildImage(process.argv[2] ?? 'service')
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
