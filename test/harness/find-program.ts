import { spawnSync } from 'node:child_process'

/**
 * A program on PATH that npm does not install; undefined if this machine has none, after printing which test is skipped.
 *
 * @param test The test that needs it, as a noun phrase.
 * @param debianPackage The package of Debian that has it.
 * @throws Error in CI, where no test is skipped.
 */
export function findProgram(
  program: string,
  test: string,
  debianPackage: string = program,
): string | undefined {
  if (!spawnSync(program, ['--version']).error) return program
  if (process.env['CI']) throw new Error(`${test} needs ${program}, which CI must install`)
  process.stdout.write(
    `skipped: ${test}: there is no ${program} on PATH (Debian: apt-get install ${debianPackage})\n`,
  )
  return undefined
}
