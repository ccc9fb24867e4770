// Limits of connections that carry the results of many operations: streams of server-sent events, and WebSockets.

/** Streams of one account, and as many WebSockets, in each instance of the service; each is a tab or a device. */
export const MOST_CONNECTIONS = 20
/** Operations of one connection at once. */
export const MOST_OPERATIONS = 20
/** Pause between two signs of life. Milliseconds. */
export const PING_MS = 12_000
/** Bytes of a message, and of a request without a valid token: enough for the longest document with its variables. */
export const MOST_BYTES_OF_DOCUMENT = 96 * 1_024
