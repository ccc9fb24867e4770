import { z } from 'zod'
import { graphqlConfig } from '../graphql/graphql-config.ts'

/** The HTTP server's slice of the configuration; sizes in bytes, times in milliseconds. */
export const httpConfig = z
  .strictObject({
    bodyLimit: z
      .int()
      .min(1_024)
      .default(256 * 1_024),
    /** A larger body is read and thrown away up to here, so that the connection survives; above, it is closed. */
    drainLimit: z
      .int()
      .min(1_024)
      .default(16 * 1_024 * 1_024),
    /** Web origins that browsers may call from; `*` allows all. No credentials are ever allowed. */
    corsOrigins: z.array(z.string().min(1)).min(1).default(['*']),
    /**
     * Reverse proxies in front that append to X-Forwarded-For; 0 ignores that header. Behind a proxy with 0 all clients
     * have the proxy's address and share its limits, and the log says so.
     */
    trustedProxies: z.int().min(0).max(10).default(0),
    /** Operations that may run at once; one more answers 503 SERVER_BUSY. */
    maxInFlight: z.int().min(1).default(512),
    /** Those of them that one client may have (IPv6 by /64); one more of its requests answers 503 SERVER_BUSY. */
    maxInFlightPerClient: z.int().min(1).default(64),
    maxConnections: z.int().min(1).default(4_096),
    /** Those of them that one client may have (IPv6 by /64); behind a trusted proxy all are the proxy's, and it decides. */
    maxConnectionsPerClient: z.int().min(1).default(128),
    /**
     * Requests that may wait on a connection behind the one in hand (pipelining), with headers of maxHeaderSize bytes in
     * all; one more closes it.
     */
    maxPipelined: z.int().min(0).default(64),
    /** Time for a whole request to arrive. */
    requestTimeoutMs: z.int().min(1_000).default(30_000),
    headersTimeoutMs: z.int().min(1_000).default(10_000),
    keepAliveTimeoutMs: z.int().min(0).default(65_000),
    /** The same while three quarters of maxConnections are taken. */
    busyKeepAliveMs: z.int().min(0).default(5_000),
    /** A connection whose client takes nothing of an answer for so long is closed. */
    writeTimeoutMs: z.int().min(1_000).default(30_000),
    /** Metrics and status are made anew after so long, however many ask. */
    figuresMaxAgeMs: z.int().min(0).max(60_000).default(1_000),
    maxHeaderSize: z
      .int()
      .min(1_024)
      .default(16 * 1_024),
    graphql: graphqlConfig,
  })
  .prefault({})

export type HttpConfig = z.output<typeof httpConfig>
