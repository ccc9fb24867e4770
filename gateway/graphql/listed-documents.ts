import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'graphql'
import { z } from 'zod'
import type { Logger } from '../logging.ts'

const listShape = z.record(z.string().min(1).max(200), z.string())

/** Milliseconds after which a hash that is not listed has the files checked again. */
const CHECKED_MS = 1_000
/** Milliseconds after which any hash has, so that a removed document stops. */
const BELIEVED_MS = 10_000

/** The operator's documents, by the hashes that clients name. */
export interface ListedDocuments {
  get(hash: string): string | undefined
}

/** No documents. */
export const NO_DOCUMENTS: ListedDocuments = { get: () => undefined }

/**
 * Loads the documents that clients may name by hash, and loads them again once their files have changed. Files with a
 * mistake are logged, and the documents of before stay.
 *
 * @throws Error as {@link loadDocuments}, for the first load only.
 */
export function followDocuments(path: string, logger: Logger): ListedDocuments {
  let documents = loadDocuments(path)
  let mark = markOf(path)
  let checkedAt = performance.now()

  function check(): void {
    checkedAt = performance.now()
    try {
      const now = markOf(path)
      if (now === mark) return
      mark = now
      documents = loadDocuments(path)
      logger.info({ documents: documents.size }, 'the listed GraphQL documents were loaded again')
    } catch (error) {
      logger.warn({ err: error }, 'the listed GraphQL documents have a mistake; those of before stay')
    }
  }

  return {
    get(hash) {
      const age = performance.now() - checkedAt
      if (age > (documents.has(hash) ? BELIEVED_MS : CHECKED_MS)) check()
      return documents.get(hash)
    },
  }
}

/** Differs when a file was added, removed or changed. */
function markOf(path: string): string {
  const mark = (file: string) => {
    const { mtimeMs, size } = statSync(file)
    return `${file} ${mtimeMs} ${size}`
  }
  return statSync(path).isDirectory()
    ? listFiles(path)
        .map((name) => mark(join(path, name)))
        .join('\n')
    : mark(path)
}

const listFiles = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.graphql'))
    .sort()

/**
 * Loads the documents that clients may name by hash. They are a folder of .graphql files, each named by the SHA-256 of
 * its text, or a JSON file `{hash: document}` as code generators write it.
 *
 * @throws Error that names the file which is missing or is not valid GraphQL.
 */
function loadDocuments(path: string): ReadonlyMap<string, string> {
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
  return new Map(
    listFiles(folder).map((name) => {
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
