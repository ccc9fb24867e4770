import { unsigned } from './wasm-code.ts'

const SECTION = { import: 2, global: 6, export: 7, code: 10 } as const
const FUNCTION = 0
/** Magic number and version. */
const HEADER_SIZE = 8

/** Reads the elements of the binary format. */
class Reader {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0
  }

  number(): number {
    let value = 0
    for (let bits = 0; ; bits += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << bits
      if (byte < 0x80) return value >>> 0
    }
  }

  take(size: number): Uint8Array {
    return this.#bytes.subarray(this.at, (this.at += size))
  }

  name(): string {
    return Buffer.from(this.take(this.number())).toString()
  }
}

/** Imported functions come first in the count of functions. Tables and globals are not among this module's imports. */
function countImported(section: Uint8Array): number {
  const reader = new Reader(section)
  let functions = 0
  for (let left = reader.number(); left > 0; left -= 1) {
    reader.name()
    reader.name()
    const kind = reader.byte()
    if (kind === FUNCTION) functions += 1
    else if (kind !== 2) throw new Error('the curve module has an import of an unknown kind')
    const flags = reader.number()
    if (kind !== FUNCTION) for (let limits = flags & 1 ? 2 : 1; limits > 0; limits -= 1) reader.number()
  }
  return functions
}

function readExports(section: Uint8Array): ReadonlyMap<string, number> {
  const reader = new Reader(section)
  const functions = new Map<string, number>()
  for (let left = reader.number(); left > 0; left -= 1) {
    const name = reader.name()
    const kind = reader.byte()
    const index = reader.number()
    if (kind === FUNCTION) functions.set(name, index)
  }
  return functions
}

/** The replacements for a module. */
export interface Splice {
  /** Bodies by exported name, as {@link FunctionBody.encode} returns them, for the function's own parameters. */
  functions: ReadonlyMap<string, readonly number[]>
  /** The section of globals, of which the module has none. */
  globals: readonly number[]
}

/** Replaces the bodies of exported functions of a WebAssembly module for all callers, inside the module too. */
export function spliceFunctions(module: Uint8Array, { functions, globals }: Splice): Uint8Array<ArrayBuffer> {
  const reader = new Reader(module, HEADER_SIZE)
  const parts: Uint8Array[] = [module.subarray(0, HEADER_SIZE)]
  let imported = 0
  let exported: ReadonlyMap<string, number> = new Map()
  while (!reader.isAtEnd) {
    const start = reader.at
    const id = reader.byte()
    const content = reader.take(reader.number())
    if (id === SECTION.import) imported = countImported(content)
    if (id === SECTION.global) throw new Error('the curve module has globals of its own')
    if (id === SECTION.export) {
      exported = readExports(content)
      parts.push(Uint8Array.from([SECTION.global, ...unsigned(globals.length), ...globals]))
    }
    if (id !== SECTION.code) parts.push(module.subarray(start, reader.at))
    else {
      const spliced = spliceCode(
        content,
        new Map([...functions].map(([name, body]) => [placeOf(exported, name) - imported, body])),
      )
      parts.push(Uint8Array.from([id, ...unsigned(spliced.length)]), spliced)
    }
  }
  return Uint8Array.from(Buffer.concat(parts))
}

function placeOf(exported: ReadonlyMap<string, number>, name: string): number {
  const place = exported.get(name)
  if (place === undefined) throw new Error(`the curve module has no function ${name}`)
  return place
}

function spliceCode(section: Uint8Array, bodies: ReadonlyMap<number, readonly number[]>): Uint8Array {
  const reader = new Reader(section)
  const count = reader.number()
  const parts: Uint8Array[] = [Uint8Array.from(unsigned(count))]
  for (let index = 0; index < count; index += 1) {
    const body = reader.take(reader.number())
    const spliced = bodies.get(index) ?? body
    parts.push(Uint8Array.from(unsigned(spliced.length)), Uint8Array.from(spliced))
  }
  return Buffer.concat(parts)
}
