import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { getAddress, isAddressEqual, type Address } from 'viem'
import { z } from 'zod'
import { listPaymentsTo, type PaymentRow } from '../../../../db/account/subdomains/payments-to.ts'
import type { Indexer } from '../../../chain/indexer/indexer.ts'
import type { TransientSecrets } from '../../../identity/transient-secrets.ts'
import type { NameLookups } from './name-lookups.ts'

/** Pages by which anybody pays to a name, without an account. */
export interface PaymentPages {
  /**
   * Issues the address of one visit, within the limits of lookups; null if the name is free.
   *
   * @param label The part before the parent name.
   * @param asker See {@link NameLookups.find}.
   * @throws the errors of {@link NameLookups.find}.
   */
  open(label: string, asker: string): Promise<{ address: Address; ticket: string } | null>
  /**
   * Yields the payments to a visit's address: at once, after each that arrives, and every 20 seconds, until the visit
   * ends after an hour.
   *
   * @param ticket Only the visitor has it: the service does not say of any other address whether it is one of its own.
   * @returns Null for a ticket that is not good, or no longer.
   */
  follow(ticket: string, signal: AbortSignal): AsyncGenerator<readonly PaymentRow[]> | null
}

const CONTEXT = 'visit of a payment page'
const VISIT_MS = 3_600_000
const EVERY_MS = 20_000

const visit = z.object({ address: z.string(), until: z.number() })

/** Creates the pages over the lookups of names. A visit is stored nowhere: its ticket holds it, sealed. */
export function createPaymentPages({
  database,
  lookups,
  secrets,
  indexer,
}: {
  database: DatabasePool
  lookups: NameLookups
  secrets: TransientSecrets
  indexer: Pick<Indexer, 'onChanged'>
}): PaymentPages {
  function readTicket(ticket: string): z.output<typeof visit> | null {
    try {
      const text = secrets.open(CONTEXT, Buffer.from(ticket, 'base64url'))
      const { address, until } = visit.parse(JSON.parse(text))
      return until > Date.now() ? { address, until } : null
    } catch {
      return null
    }
  }

  async function* follow(address: Address, until: number, signal: AbortSignal) {
    let news = new AbortController()
    const unlisten = indexer.onChanged(({ addresses }) => {
      if (addresses.some((one) => isAddressEqual(one, address))) news.abort()
    })
    try {
      while (!signal.aborted && Date.now() < until) {
        news = new AbortController()
        yield await listPaymentsTo(database, address)
        await sleep(EVERY_MS, null, { signal: AbortSignal.any([signal, news.signal]) }).catch(() => null)
      }
    } finally {
      unlisten()
    }
  }

  return {
    async open(label, asker) {
      const address = await lookups.find(label, asker)
      if (address === null) return null
      const sealed = secrets.seal(CONTEXT, JSON.stringify({ address, until: Date.now() + VISIT_MS }))
      return { address, ticket: sealed.toString('base64url') }
    },
    follow(ticket, signal) {
      const opened = readTicket(ticket)
      return opened && follow(getAddress(opened.address), opened.until, signal)
    },
  }
}
