import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inheritedEnvironment } from './inherited-environment.ts'

/** A program that is not over by then hangs: its output is more use than a test that times out. */
const PATIENCE_MS = 280_000

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Runs a script of the project to its end, as `npm` would, with only the given environment and the variables that
 * every program needs.
 */
export async function runCli(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [code] = (await once(child, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
    (error: unknown) => {
      child.kill('SIGKILL')
      throw new Error(`${script} does not end; it said: ${stdout}${stderr}`, { cause: error })
    },
  )) as [number | null]
  return { code, stdout, stderr }
}
