import type { CommonQueryMethods } from 'slonik'

/**
 * Stores the answer to a request in the transaction of its effects. A crash leaves both or neither, and a repeated
 * request gets the same answer.
 *
 * @throws Error if another run of the request replaced this one: the transaction must be rolled back.
 */
export type KeepAnswer<Answer> = (transaction: CommonQueryMethods, answer: Answer) => Promise<void>
