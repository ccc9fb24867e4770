import { z } from 'zod'
import { graphqlConfig } from '../graphql/graphql-config.ts'

/** The HTTP server's part of the configuration; sizes in bytes, times in milliseconds. */
export const httpConfig = z
  .strictObject({
    bodyLimit: z
      .int()
      .min(1_024)
      .default(256 * 1_024)
      .describe('Bytes of a request body at most.'),
    drainLimit: z
      .int()
      .min(1_024)
      .default(16 * 1_024 * 1_024)
      .describe(
        'A larger body up to this size is read and discarded, so that the connection stays usable; ' +
          'above it, the connection is closed.',
      ),
    corsOrigins: z
      .array(z.string().min(1))
      .min(1)
      .default(['*'])
      .describe('Web origins that browsers may call from; `*` allows all. No credentials are ever allowed.'),
    trustedProxies: z
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe(
        'Number of reverse proxies in front that append to X-Forwarded-For; 0 ignores that header. ' +
          "With 0 behind a proxy, all clients have the proxy's address and share its limits; the log " +
          'warns about that.',
      ),
    securityContact: z
      .url({ protocol: /^(https|mailto)$/ })
      .optional()
      .describe(
        'An https or `mailto:` address for reports of weaknesses, shown at `/.well-known/security.txt`. ' +
          'Without it there is no such page.',
      ),
    compress: z
      .boolean()
      .default(true)
      .describe('Compress answers over 1 KB by brotli or gzip; `false` where a proxy in front does so.'),
    maxInFlight: z
      .int()
      .min(1)
      .default(512)
      .describe('Operations that may run at once; a further one is answered 503 SERVER_BUSY.'),
    maxInFlightPerClient: z
      .int()
      .min(1)
      .default(64)
      .describe(
        'Of these, operations of one client (IPv6 by /64), and no more than twice the free ones; its ' +
          'next request is answered 503 SERVER_BUSY.',
      ),
    maxConnections: z.int().min(1).default(4_096).describe('Connections at most.'),
    maxConnectionsPerClient: z
      .int()
      .min(1)
      .default(128)
      .describe(
        'Of these, connections of one client (IPv6 by /64), and no more than twice the free ones. ' +
          'Behind a trusted proxy, its running requests and open streams count instead.',
      ),
    maxPipelined: z
      .int()
      .min(0)
      .default(64)
      .describe(
        'Requests that may wait on a connection behind the running one (pipelining). Their headers ' +
          'together may have maxHeaderSize bytes. A further request closes the connection.',
      ),
    answerWithinMs: z
      .int()
      .min(100)
      .max(600_000)
      .default(9_500)
      .describe(
        'Time until the answer to a request that has arrived; then it is 503 ANSWER_LATE. Streams may last.',
      ),
    requestTimeoutMs: z.int().min(1_000).default(30_000).describe('Time for a whole request to arrive.'),
    headersTimeoutMs: z
      .int()
      .min(1_000)
      .default(10_000)
      .describe('Time for the headers of a request to arrive.'),
    keepAliveTimeoutMs: z
      .int()
      .min(0)
      .default(65_000)
      .describe('Time for which an answer promises to keep its connection; it is kept five seconds longer.'),
    busyKeepAliveMs: z
      .int()
      .min(0)
      .default(5_000)
      .describe('The same while three quarters of `maxConnections` are in use.'),
    writeTimeoutMs: z
      .int()
      .min(1_000)
      .default(30_000)
      .describe('A connection is closed if its client reads nothing of an answer for this long.'),
    leastBytesPerSecond: z
      .int()
      .min(0)
      .default(4_096)
      .describe(
        'Least rate of reading while an answer stays unread for `writeTimeoutMs`; a slower connection ' +
          'is closed. 0 allows any rate.',
      ),
    maxUnwritten: z
      .int()
      .min(1_024)
      .default(256 * 1_024 * 1_024)
      .describe(
        'Unread bytes of all answers together. Beyond that, the client with the most unread loses an ' +
          'answer.',
      ),
    maxUnwrittenPerClient: z
      .int()
      .min(1_024)
      .default(32 * 1_024 * 1_024)
      .describe('Of these, bytes of one client (IPv6 by /64); its next request is answered 503 SERVER_BUSY.'),
    figuresMaxAgeMs: z
      .int()
      .min(0)
      .max(60_000)
      .default(1_000)
      .describe('Metrics and status are computed at most once in this time, for any number of clients.'),
    loopDelayEveryMs: z
      .int()
      .min(1)
      .max(1_000)
      .default(50)
      .describe(
        "Interval at which the event loop's delay is measured. Each measurement wakes the process, and " +
          'every reported delay includes it.',
      ),
    maxHeaderSize: z
      .int()
      .min(1_024)
      .default(16 * 1_024)
      .describe('Bytes of the headers of a request at most.'),
    graphql: graphqlConfig.describe('GraphQL.'),
  })
  .prefault({})

export type HttpConfig = z.output<typeof httpConfig>
