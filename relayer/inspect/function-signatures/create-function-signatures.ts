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
import { listBuiltInSignatures, type KnownSignature } from './built-in-signatures.ts'
import { selectorOf, isCanonicalSignature } from './canonical-signature.ts'
import type { SignaturesConfig } from './config.ts'
import {
  type FunctionSignatures,
  SIGNATURE_SOURCES,
  type SignatureCandidate,
  type SignatureSource,
  numberOfSelector,
  selectorOfNumber,
  nameOfStored,
  storedSource,
} from './function-signatures.ts'
import { z } from 'zod'
import { readBounded } from '../../../proving/rpc/read-bounded.ts'

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

  /** Stores the server's answers, and caches for a day that it had none. A failed request changes nothing. */
  async function readRemote(unknown: readonly Hex[]): Promise<ReadonlyMap<Hex, readonly KnownSignature[]>> {
    const now = Date.now()
    const selectors = unknown.filter((selector) => (misses.get(selector) ?? 0) <= now)
    if (!ask || selectors.length === 0 || !questions.draw(1)) return new Map()
    try {
      const told = await ask(selectors)
      await storeAnswers(database, told)
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
      const stored = await readStored(database, wanted)
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

async function readStored(
  database: DatabasePool,
  selectors: readonly Hex[],
): Promise<Map<Hex, KnownSignature[]>> {
  const rows = await listSignatures(database, selectors.map(numberOfSelector))
  const stored = new Map<Hex, KnownSignature[]>()
  for (const { selector, signature, source } of rows) {
    const key = selectorOfNumber(selector)
    const one = { signature, source: nameOfStored(source) }
    stored.set(key, [...(stored.get(key) ?? []), one])
  }
  return stored
}

async function storeAnswers(
  database: DatabasePool,
  told: ReadonlyMap<Hex, readonly KnownSignature[]>,
): Promise<void> {
  const rows = [...told].flatMap(([selector, ofSelector]) =>
    ofSelector.map(({ signature, source }) => ({
      selector: numberOfSelector(selector),
      signature,
      source: storedSource(source),
    })),
  )
  if (rows.length > 0) await mayWrite(() => keepSignatures(database, rows))
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

const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_PER_SELECTOR = 100

const answer = z.object({
  ok: z.literal(true),
  result: z.object({
    function: z.record(
      z.string(),
      z.array(z.object({ name: z.string(), hasVerifiedContract: z.boolean().optional() })).nullable(),
    ),
  }),
})

/** Requests the signatures of selectors from a signature server. */
type AskSignatureServer = (selectors: readonly Hex[]) => Promise<Map<Hex, KnownSignature[]>>

/**
 * Creates a client of Sourcify's signature API (`GET /signature-database/v1/lookup`). The server is not trusted: only
 * signatures that hash to the requested selector are kept. It learns nothing but the selectors.
 *
 * @throws Error if it does not answer in time, or breaks the protocol.
 */
function askSignatureServer(config: NonNullable<SignaturesConfig['remote']>): AskSignatureServer {
  const { url, timeoutMs } = config

  return async (selectors) => {
    const query = new URLSearchParams({ function: selectors.join(','), filter: 'true' })
    const response = await fetch(`${url.replace(/\/+$/, '')}/signature-database/v1/lookup?${query}`, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`the signature server answered ${response.status}`)
    const text = await readBounded(response, MAX_ANSWER_BYTES)
    if (text === null) throw new Error(`the signature server answered more than ${MAX_ANSWER_BYTES} bytes`)
    const told = answer.parse(JSON.parse(text)).result.function
    return new Map(
      selectors.map((selector) => [
        selector,
        (told[selector] ?? [])
          .slice(0, MAX_PER_SELECTOR)
          .filter(({ name }) => isCanonicalSignature(name) && selectorOf(name) === selector)
          .map(({ name, hasVerifiedContract }) => ({
            signature: name,
            source: hasVerifiedContract === true ? ('verified' as const) : ('reported' as const),
          })),
      ]),
    )
  }
}

const MOST = 10

/** Patterns of names from a search for a colliding selector: counters and random tails. */
const MADE_UP = [/[0-9]{5,}/, /[_$]{4,}/, /_(?=[a-z]*[0-9])[a-z0-9]{5,}\(/]
/** Types that the ABI allows and hardly any contract uses; a search for a collision tries them all. */
const UNUSUAL =
  /[(,](?:uint(?:72|88|104|120|136|144|152|168|176|184|200|208|216|232|240|248)|int(?:40|48|72|80|88|96|104|112|120|136|144|152|160|168|176|184|200|208|216|232|240|248)|bytes(?:[135679]|1[013-579]|2[1-35-9]|3[01]))(?=[,)[])/

/** True for a signature that looks searched for: a name of digits or signs, or types that hardly any contract uses. */
function isSuspicious(signature: string): boolean {
  const name = signature.slice(0, signature.indexOf('(') + 1)
  return MADE_UP.some((form) => form.test(name)) || UNUSUAL.test(signature)
}

/**
 * Returns at most ten candidates, each signature once by its best source. The best source comes first, then
 * signatures that do not look searched for. Ties go to the shortest, then to the first in the order of code units.
 */
function rankCandidates(
  known: readonly { signature: string; source: SignatureSource }[],
): readonly SignatureCandidate[] {
  const best = new Map<string, SignatureSource>()
  for (const { signature, source } of known) {
    const before = best.get(signature)
    if (before === undefined || rankOf(source) < rankOf(before)) best.set(signature, source)
  }
  return [...best]
    .map(([signature, source]) => ({ signature, source, suspicious: isSuspicious(signature) }))
    .toSorted(
      (one, other) =>
        rankOf(one.source) - rankOf(other.source) ||
        Number(one.suspicious) - Number(other.suspicious) ||
        one.signature.length - other.signature.length ||
        (one.signature < other.signature ? -1 : 1),
    )
    .slice(0, MOST)
}

const rankOf = (source: SignatureSource) => SIGNATURE_SOURCES.indexOf(source)
