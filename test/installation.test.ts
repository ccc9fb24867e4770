import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

interface Lock {
  packages: Record<
    string,
    { name?: string; version?: string; resolved?: string; link?: boolean; dev?: boolean }
  >
}

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as Lock
/** Every package that is installed without development packages. */
const production = Object.entries(packages).filter(([place, { dev }]) => place !== '' && !dev)
/** Scripts that npm runs by itself when it installs. */
const INSTALL_SCRIPTS = /^(?:(?:pre|post)?install|(?:pre|post)?prepare|prepublish|dependencies)$/

it('npm runs no script of the project or of a package when it installs', () => {
  expect(Object.keys(manifest.scripts).filter((name) => INSTALL_SCRIPTS.test(name))).toEqual([])
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true')
})

it('the lockfile names no registry and no folder of the project', () => {
  expect(Object.values(packages).filter(({ resolved, link }) => resolved ?? link)).toEqual([])
})

it('each production package is the one that its name says', () => {
  const replaced = production.filter(([place, { name }]) => name && !place.endsWith(`node_modules/${name}`))
  expect(replaced).toEqual([])
  expect(production.length).toBeGreaterThan(100)
})

it('each override stands under one development package that CONTRIBUTING gives a reason for', () => {
  const overrides = Object.entries(manifest.overrides as Record<string, unknown>)
  const development = Object.keys(manifest.devDependencies)
  for (const [name, nested] of overrides) {
    expect(development).toContain(name)
    expect(nested, name).toBeTypeOf('object')
    expect(read('CONTRIBUTING.md')).toMatch(new RegExp(`^\\| \`${name}\` \\| .+ \\|$`, 'm'))
  }
  expect(overrides.length).toBeGreaterThan(0)
})
