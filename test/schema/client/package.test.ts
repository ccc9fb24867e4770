import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../schema/client', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('dist'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
const imports = files.flatMap(({ file, text }) =>
  [...text.matchAll(/(?:^|\s)(?:from |import\()'([^']+)'/gm)].map(([, target = '']) => ({ file, target })),
)
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  license: string
  exports: Record<string, unknown>
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
}
const needed = { ...manifest.dependencies, ...manifest.peerDependencies }

test('every file of the client package says its licence in its first line', () => {
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter(({ text }) => !text.startsWith('// SPDX-License-Identifier: MIT\n'))).toEqual([])
  expect(readFileSync(join(root, 'LICENSE'), 'utf8')).toContain('MIT License')
})

test('the client package imports nothing of the service, and only packages that it names', () => {
  const outside = imports.filter(({ file, target }) =>
    target.startsWith('.')
      ? !resolve(root, dirname(file), target).startsWith(`${root}/`)
      : !Object.keys(needed).some((name) => target === name || target.startsWith(`${name}/`)),
  )
  expect(outside).toEqual([])
})

test('no package that the client package needs is under the GPL', () => {
  const require = createRequire(join(root, 'index.ts'))
  const licences = new Map<string, string>()
  const read = (name: string, from: NodeJS.Require) => {
    const paths = from.resolve.paths(name) ?? []
    const folder = paths.map((path) => join(path, name)).find((path) => existsSync(path))
    if (!folder || licences.has(folder)) return
    const text = readFileSync(join(folder, 'package.json'), 'utf8')
    const { license = 'none', dependencies = {} } = JSON.parse(text) as {
      license?: string
      dependencies?: Record<string, string>
    }
    licences.set(folder, license)
    for (const next of Object.keys(dependencies)) read(next, createRequire(join(folder, 'package.json')))
  }
  // A wallet brings snarkjs (GPL) itself, if it proves.
  for (const name of Object.keys(needed)) if (name !== 'snarkjs') read(name, require)
  expect(licences.size).toBeGreaterThan(10)
  expect(
    [...licences].filter(([, licence]) => !/^(?:MIT|Apache-2\.0|0BSD|ISC|BSD-\d-Clause)$/.test(licence)),
  ).toEqual([])
})
