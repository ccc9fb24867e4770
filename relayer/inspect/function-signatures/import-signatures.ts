import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { pipeline } from 'node:stream'
import type { DatabasePool } from 'slonik'
import { beginSignatureImport } from '../../../db/inspect/function-signatures/function-signatures.ts'
import { isCanonicalSignature, selectorOf } from './canonical-signature.ts'
import { numberOfSelector, storedSource } from './function-signatures.ts'

const ROWS_A_STATEMENT = 10_000
const MAX_LINE = 4_096
/** Matches a signature, optionally quoted, and optionally whether its contract is verified. */
const LINE = /^\s*"?([^"\s]+\))"?(?:\s*[,;\t]\s*"?(true|false|t|f|1|0|verified|reported)"?)?\s*$/i

/** The result of an import. */
export interface ImportedSignatures {
  lines: number
  /** Lines without a canonical signature of at most 1,024 characters. */
  leftOut: number
  /** Rows in the table after the import. */
  stored: number
}

/**
 * Imports a text or CSV file of `signature[,verified]` lines into the database, all or nothing. A name that ends in
 * `.gz` means gzip. Selectors are computed, so a file cannot give a signature another selector than its own.
 *
 * @param options.verified True if lines without a flag are of verified contracts.
 * @param options.replace True to delete earlier imports.
 * @throws Node's error if the file cannot be read.
 */
export async function importSignatures(
  database: DatabasePool,
  file: string,
  options: { verified: boolean; replace: boolean; onProgress?: (lines: number) => void },
): Promise<ImportedSignatures> {
  return database.transaction(async (transaction) => {
    const target = await beginSignatureImport(transaction)
    let lines = 0
    let leftOut = 0
    let rows: { selector: number; signature: string; source: number }[] = []
    for await (const line of readLines(file)) {
      if (line.trim() === '') continue
      lines += 1
      const [, signature, flag] = LINE.exec(line) ?? []
      if (signature === undefined || !isCanonicalSignature(signature)) {
        leftOut += 1
        continue
      }
      const isVerified = flag === undefined ? options.verified : /^(?:t|1|v)/i.test(flag)
      rows.push({
        selector: numberOfSelector(selectorOf(signature)),
        signature,
        source: storedSource(isVerified ? 'verified' : 'reported'),
      })
      if (rows.length < ROWS_A_STATEMENT) continue
      await target.add(rows)
      rows = []
      options.onProgress?.(lines)
    }
    if (rows.length > 0) await target.add(rows)
    return { lines, leftOut, stored: await target.finish(options.replace) }
  }, 0)
}

/** Yields the lines of a file. A line longer than any signature arrives cut, and is then skipped. */
async function* readLines(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file)
  // Errors of either stream arrive where the lines are read.
  const stream = file.endsWith('.gz') ? pipeline(bytes, createGunzip(), () => undefined) : bytes
  stream.setEncoding('utf8')
  let rest = ''
  let isCut = false
  for await (const chunk of stream as AsyncIterable<string>) {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      yield isCut ? '…' : part
      isCut = false
    }
    if (rest.length > MAX_LINE) {
      rest = ''
      isCut = true
    }
  }
  if (rest !== '' || isCut) yield isCut ? '…' : rest
}
