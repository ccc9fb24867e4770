import type { Address } from 'viem'

/** Queued transactions are assigned within moments: more than this is what was never committed. */
const MAX_KNOWN = 10_000

/** From which signers queued transactions were simulated in this instance, until they are assigned. */
export interface SimulatedOrigins {
  note(outboundId: string, origin: Address): void
  find(outboundId: string): Address | undefined
  forget(outboundId: string): void
}

/** Kept in memory: after a restart any signer will do, as it does where the one that was simulated has no room. */
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
