// Run after every `npm install` that changes package-lock.json: `node .ci/complete-lockfile.mjs`.
// npm leaves optional packages of other platforms out of the lockfile when its registry does not offer them, and then
// `npm ci` refuses the lockfile that npm itself wrote. This puts them back by name, exact version and platform; they are
// fetched on those platforms alone.
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))

const OS = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'win32']
const CPU = {
  amd64: 'x64',
  x64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  armv6: 'arm',
  armv7: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  ppc64le: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  universal: undefined,
  loong64: 'loong64',
  wasm32: 'wasm32',
}

function platformOf(name) {
  const parts = name.split('/').at(-1).split('-')
  const os = OS.filter((known) => parts.includes(known))
  const cpu = Object.keys(CPU).filter((known) => parts.includes(known) && CPU[known])
  const libc = parts.some((part) => part.startsWith('musl'))
    ? ['musl']
    : parts.some((part) => part.startsWith('gnu')) && os.includes('linux')
      ? ['glibc']
      : []
  return {
    ...(cpu.length && { cpu: cpu.map((known) => CPU[known]) }),
    ...(libc.length && { libc }),
    ...(os.length && { os }),
  }
}

let added = 0
for (const [path, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
  if (path === '') continue
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`
    if (lock.packages[place] || lock.packages[`${path}/node_modules/${name}`]) continue
    const exact = /^\d+\.\d+\.\d+/.test(version)
    const platform = platformOf(name)
    if (!exact || Object.keys(platform).length === 0) continue
    lock.packages[place] = { version, ...platform, ...(dev && { dev }), optional: true }
    added += 1
  }
}
const [root, ...rest] = Object.entries(lock.packages)
lock.packages = Object.fromEntries([root, ...rest.sort(([one], [other]) => (one < other ? -1 : 1))])
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} packages of other platforms added`)
