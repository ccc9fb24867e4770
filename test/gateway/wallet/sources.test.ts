import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, parse, validate } from 'graphql'
import { expect, it } from 'vitest'
import * as documents from '../../../gateway/wallet/session/documents.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'gateway/wallet')
const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(FOLDER, file), 'utf8') }))

it('the wallet imports the client package, and nothing else of the service', () => {
  const packages =
    /^(?:stealth-relay\/client(?:\/\w+)?|react(?:-dom\/client)?|urql|@urql\/exchange-graphcache|viem|qr|snarkjs)$/
  const foreign = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/(?:from|import) '([^']+)'/g)]
      .map(([, from = '']) => from)
      .filter((from) => !packages.test(from) && !join(FOLDER, file, '..', from).startsWith(`${FOLDER}/`))
      .map((from) => `${file}: ${from}`),
  )
  expect(sources.length).toBeGreaterThan(30)
  expect(foreign).toEqual([])
})

it('every document of the wallet fits the schema', () => {
  const schema = buildSchema(readFileSync(join(ROOT, 'schema/printed/schema.graphql'), 'utf8'))
  const faults = Object.entries(documents).flatMap(([name, text]) =>
    validate(schema, parse(text)).map(({ message }) => `${name}: ${message}`),
  )
  expect(Object.keys(documents).length).toBeGreaterThan(4)
  expect(faults).toEqual([])
})

it('no screen has texts of its own', () => {
  const own = sources
    .filter(({ file }) => file.endsWith('.tsx'))
    .flatMap(({ file, text }) =>
      [
        ...text.matchAll(/>\s*([A-Z][a-z]+ [^<>{}]*)<\/|(?:aria-label|label|title|placeholder)="([^"]+)"/g),
      ].map(([, content, attribute]) => `${file}: ${content ?? attribute}`),
    )
  expect(own).toEqual([])
})
