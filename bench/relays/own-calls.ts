interface Call {
  method: string
  params: readonly unknown[]
}

/** What is asked for one relay; everything else is asked once a head or block, however many relays it holds. */
const OF_A_RELAY = new Set(['eth_simulateV1', 'debug_traceCall', 'eth_getCode', 'eth_sendRawTransaction'])

/** A call to a contract is for the relay; those that every head asks run in a contract made for the call, which has no address. */
const isOwn = ({ method, params: [call] }: Call) =>
  OF_A_RELAY.has(method) || (method === 'eth_call' && Object.hasOwn(Object(call), 'to'))

const callsOf = (body: string): Call[] => [JSON.parse(body)].flat() as Call[]

/** The methods of a round trip. */
export const methodsOf = (body: string): string[] => callsOf(body).map(({ method }) => method)

/** The methods of a round trip that are for single relays. */
export const ownMethodsOf = (body: string): string[] =>
  callsOf(body).flatMap((call) => (isOwn(call) ? call.method : []))

/** The methods of a round trip, without looks for a new head; none where it was only that. */
export function withoutLooks(body: string): string[][] {
  const others = callsOf(body).filter(
    ({ method, params }) => !(method === 'eth_getBlockByNumber' && params[0] === 'latest'),
  )
  return others.length > 0 ? [others.map(({ method }) => method)] : []
}
