/** Values of the n-th of something, as SQL over an expression for n: cheap to make by the million, and as long as real ones. */

const FILL = 'a1b2c3d4e5f60718'

const hexOf = (n: string, seed: number, digits: number) =>
  `'0x' || lpad(to_hex(hashint8extended((${n})::int8, ${seed})), ${digits}, '${FILL}')`

/** The n-th address of ours. */
export const addressOf = (n: string) => hexOf(n, 1, 40)
/** The n-th of those who pay them, of tokens and of pools; they are few. */
export const strangerOf = (n: string) => hexOf(n, 2, 40)
export const tokenOf = (n: string) => hexOf(`(${n}) % 50`, 3, 40)
export const poolOf = (n: string) => hexOf(`(${n}) % 4`, 4, 40)
/** Hash of the n-th transaction and of the n-th block. */
export const txHashOf = (n: string) => hexOf(n, 5, 64)
export const blockHashOf = (n: string) => hexOf(n, 6, 64)
/** An id of a table's n-th row. */
export const idOf = (table: string, n: string) => `md5('${table}' || (${n}))::uuid`
/** 32 bytes. */
export const bytesOf = (n: string) => `sha256(((${n})::text)::bytea)`
/** A number of 254 bits, such as labels and nullifiers are. */
export const fieldOf = (n: string) =>
  `(abs(hashint8extended((${n})::int8, 7))::numeric * 1e38 + abs(hashint8extended((${n})::int8, 8)))`
/** Text of so many characters: short of what PostgreSQL compresses. */
export const textOf = (n: string, characters: number) => `rpad('', ${characters}, md5('text' || (${n})))`
