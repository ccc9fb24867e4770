import type { ChainConfig } from '../../chain/nodes/config.ts'
import { venueAnswers, type VenueAnswer } from './observe-venue.ts'

const PATIENCE_MS = 5_000
/** Milliseconds between two requests to a venue that did not answer. */
const ASK_AGAIN_MS = 60_000
/** Failures in a row of a venue's answers that count. */
const FAILURES = 3

/** A venue that does not answer. */
export interface VenueAlarm {
  code: 'VENUE_DOWN'
  chainId: number
  /** The setting of its address, or its name. */
  subject: string
  detail: string
}

/** The watch over all venues. */
export interface VenueWatch {
  /** Venues that do not answer, from memory. */
  find(): readonly VenueAlarm[]
  stop(): void
}

/** A configured address of a venue. */
interface Site {
  chainId: number
  setting: string
  url: string
  askedAt: number
  problem: string | null
}

/**
 * Asks the host of each configured venue once, and again each minute while it cannot be reached; any HTTP answer will do. It
 * also listens to the outcomes of this process's queries: three failures in a row count until the next answer.
 */
export function watchVenues(chains: readonly ChainConfig[]): VenueWatch {
  const sites = chains.flatMap(listSites)
  const failing = new Map<string, { answer: VenueAnswer; times: number }>()
  const ending = new AbortController()
  const hear = (message: unknown) => {
    // The channel has one kind of message.
    const answer = message as VenueAnswer
    const key = `${answer.chainId} ${answer.venue}`
    const isFailure = answer.outcome === 'failed' || answer.outcome === 'timed_out'
    if (isFailure) failing.set(key, { answer, times: (failing.get(key)?.times ?? 0) + 1 })
    else failing.delete(key)
  }
  venueAnswers.subscribe(hear)

  async function ask(site: Site): Promise<void> {
    site.askedAt = performance.now()
    try {
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(PATIENCE_MS)])
      const answer = await fetch(new URL('/', site.url), { method: 'HEAD', redirect: 'manual', signal })
      await answer.body?.cancel()
      site.problem = null
    } catch {
      site.problem = 'cannot be reached'
    }
  }

  return {
    find() {
      for (const site of sites) {
        const isDue =
          site.askedAt === -Infinity ||
          (site.problem !== null && performance.now() - site.askedAt > ASK_AGAIN_MS)
        if (isDue) void ask(site)
      }
      const unreachable = sites.flatMap(({ chainId, setting, url, problem }): VenueAlarm[] => {
        const detail = `${setting}: ${new URL(url).host} ${problem}`
        return problem === null ? [] : [{ code: 'VENUE_DOWN', chainId, subject: setting, detail }]
      })
      const silent = [...failing.values()].flatMap(({ answer, times }): VenueAlarm[] => {
        const { chainId, venue, outcome } = answer
        const detail = `${venue} ${outcome === 'failed' ? 'failed' : 'timed out'} ${times} times in a row`
        return times < FAILURES ? [] : [{ code: 'VENUE_DOWN', chainId, subject: venue, detail }]
      })
      return [...unreachable, ...silent]
    },
    stop() {
      venueAnswers.unsubscribe(hear)
      ending.abort()
    },
  }
}

/** Every URL below `venues`, with the setting that names it. */
function listSites({ chainId, venues }: ChainConfig): Site[] {
  return Object.entries(venues).flatMap(([venue, settings]) =>
    typeof settings !== 'object'
      ? []
      : Object.entries(settings).flatMap(([name, url]): Site[] =>
          typeof url === 'string' && /^https?:/.test(url)
            ? [{ chainId, setting: `venues.${venue}.${name}`, url, askedAt: -Infinity, problem: null }]
            : [],
        ),
  )
}
