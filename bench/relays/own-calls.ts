interface Call {
  method: string
  /** Omitted where there are none. */
  params?: readonly unknown[]
}

/** Methods that serve a single relay; all others are called once a head or block, however many relays it has. */
const OF_A_RELAY = new Set(['eth_simulateV1', 'debug_traceCall', 'eth_getCode', 'eth_sendRawTransaction'])

/**
 * A call to a contract serves a relay. The calls of every head run in a contract made for the call, which has no address.
 */
const isOwn = ({ method, params: [call] = [] }: Call) =>
  OF_A_RELAY.has(method) ||
  (method === 'eth_call' && typeof call === 'object' && call !== null && 'to' in call)

const callsOf = (body: string): Call[] => [JSON.parse(body)].flat() as Call[]

/** Returns the methods of a round trip. */
export const methodsOf = (body: string): string[] => callsOf(body).map(({ method }) => method)

/** Returns the methods of a round trip that serve single relays. */
export const ownMethodsOf = (body: string): string[] =>
  callsOf(body).flatMap((call) => (isOwn(call) ? call.method : []))

/** Returns the methods of a round trip, without reads of the head; none where it was only that. */
export function withoutLooks(body: string): string[][] {
  const others = callsOf(body).filter(
    ({ method, params }) => !(method === 'eth_getBlockByNumber' && params?.[0] === 'latest'),
  )
  return others.length > 0 ? [others.map(({ method }) => method)] : []
}
