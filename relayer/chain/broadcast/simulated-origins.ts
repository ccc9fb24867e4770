import type { Address } from 'viem'

/** Queued transactions are assigned within moments: entries beyond this were never committed. */
const MAX_KNOWN = 10_000

/** The signers from which this instance simulated queued transactions, until they are assigned. */
export interface SimulatedOrigins {
  note(outboundId: string, origin: Address): void
  find(outboundId: string): Address | undefined
  forget(outboundId: string): void
}

/** In memory: after a restart any signer will do, as it does where the simulated one has no room. */
export function createSimulatedOrigins(): SimulatedOrigins {
  const origins = new Map<string, Address>()
  return {
    note(outboundId, origin) {
      origins.set(outboundId, origin)
      if (origins.size > MAX_KNOWN) origins.delete(origins.keys().next().value ?? '')
    },
    find: (outboundId) => origins.get(outboundId),
    forget: (outboundId) => void origins.delete(outboundId),
  }
}
