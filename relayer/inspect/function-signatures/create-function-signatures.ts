import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Hex } from 'viem'
import {
  keepSignatures,
  listSignatures,
} from '../../../db/inspect/function-signatures/function-signatures.ts'
import { mayWrite } from '../../../db/refuse-writes.ts'
import { createQuestionBudget } from '../../shares/shared-budget.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'
import { askSignatureServer } from './ask-signature-server.ts'
import { listBuiltInSignatures, type KnownSignature } from './built-in-signatures.ts'
import { selectorOf } from './canonical-signature.ts'
import type { SignaturesConfig } from './config.ts'
import type { FunctionSignatures } from './function-signatures.ts'
import { rankCandidates } from './rank-candidates.ts'
import { numberOfSelector, selectorOfNumber } from './selector-number.ts'
import { nameOfStored, storedSource } from './stored-source.ts'

const DAY_MS = 86_400_000
/** Maximum of cached selectors that the server does not know; it is not asked again within a day. */
const MOST_MISSES = 20_000

/**
 * Creates the lookup over the built-in signatures, those of the active clear-signing snapshot, and the imported ones.
 * Selectors unknown to all three go to a signature server, if one is configured. Each client has a share of these
 * requests. Beyond its share the answer is local only.
 */
export function createFunctionSignatures(parts: {
  database: DatabasePool
  /**
   * Returns canonical signatures of the functions that the active clear-signing snapshot formats. The same array
   * until another snapshot is active.
   */
  listFormats(): readonly string[]
  config: SignaturesConfig
  logger: Logger
}): FunctionSignatures {
  const { database, listFormats, config, logger } = parts
  const builtIn = listBuiltInSignatures()
  const formatsOf = groupFormats(listFormats)
  const ask = config.remote && askSignatureServer(config.remote)
  const questions = createQuestionBudget(config.remote?.questionsPerMinute ?? 0)
  const misses = new SharedPlaces<Hex, number>(MOST_MISSES)

  async function readStored(selectors: readonly Hex[]): Promise<Map<Hex, KnownSignature[]>> {
    const rows = await listSignatures(database, selectors.map(numberOfSelector))
    const stored = new Map<Hex, KnownSignature[]>()
    for (const { selector, signature, source } of rows) {
      const key = selectorOfNumber(selector)
      const one = { signature, source: nameOfStored(source) }
      stored.set(key, [...(stored.get(key) ?? []), one])
    }
    return stored
  }

  /** Stores the server's answers, and caches for a day that it had none. A failed request changes nothing. */
  async function readRemote(unknown: readonly Hex[]): Promise<ReadonlyMap<Hex, readonly KnownSignature[]>> {
    const now = Date.now()
    const selectors = unknown.filter((selector) => (misses.get(selector) ?? 0) <= now)
    if (!ask || selectors.length === 0 || !questions.draw(1)) return new Map()
    try {
      const told = await ask(selectors)
      const rows = [...told].flatMap(([selector, ofSelector]) =>
        ofSelector.map(({ signature, source }) => ({
          selector: numberOfSelector(selector),
          signature,
          source: storedSource(source),
        })),
      )
      if (rows.length > 0) await mayWrite(() => keepSignatures(database, rows))
      for (const [selector, ofSelector] of told)
        if (ofSelector.length === 0) misses.set(selector, now + DAY_MS)
      return told
    } catch (error) {
      logger.warn({ err: error }, 'the signature server did not answer')
      return new Map()
    }
  }

  return {
    async lookup(selectors) {
      const wanted = [...new Set(selectors)]
      const asked = new Set(wanted)
      const stored = await readStored(wanted)
      const described = formatsOf()
      const here = (selector: Hex) => [
        ...(builtIn.get(selector) ?? []),
        ...(described.get(selector) ?? []),
        ...(stored.get(selector) ?? []),
      ]
      const remote = await readRemote(wanted.filter((selector) => here(selector).length === 0))
      return new Map(
        [...asked].map((selector) => [
          selector,
          rankCandidates([...here(selector), ...(remote.get(selector) ?? [])]),
        ]),
      )
    },
  }
}

/** Groups the signatures by selector. Hashing hundreds of them takes milliseconds, so it is done once for each array. */
function groupFormats(
  listFormats: () => readonly string[],
): () => ReadonlyMap<Hex, readonly KnownSignature[]> {
  let formats: readonly string[] | undefined
  let grouped: ReadonlyMap<Hex, readonly KnownSignature[]> = new Map()
  return () => {
    const now = listFormats()
    if (now === formats) return grouped
    formats = now
    grouped = Map.groupBy(
      now.map((signature): KnownSignature => ({ signature, source: 'descriptor' })),
      ({ signature }) => selectorOf(signature),
    )
    return grouped
  }
}
