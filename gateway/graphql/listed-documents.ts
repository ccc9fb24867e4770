import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'graphql'
import { z } from 'zod'

const listShape = z.record(z.string().min(1).max(200), z.string())

/**
 * Loads the documents that clients may name by hash. They are a folder of .graphql files, each named by the SHA-256 of
 * its text, or a JSON file `{hash: document}` as code generators write it.
 *
 * @throws Error that names the file which is missing or is not valid GraphQL.
 */
export function loadDocuments(path: string): ReadonlyMap<string, string> {
  const documents = statSync(path).isDirectory() ? readFolder(path) : readList(path)
  for (const [hash, document] of documents) {
    try {
      parse(document)
    } catch (cause) {
      throw new Error(`${path}: document ${hash} is not GraphQL`, { cause })
    }
  }
  return documents
}

function readFolder(folder: string): Map<string, string> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.graphql'))
  return new Map(
    files.map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return [createHash('sha256').update(text).digest('hex'), text]
    }),
  )
}

function readList(file: string): Map<string, string> {
  const { success, data } = listShape.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!success) throw new Error(`${file} is no JSON object of documents by hash`)
  return new Map(Object.entries(data))
}
