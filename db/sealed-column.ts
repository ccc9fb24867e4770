import type { FragmentSqlToken } from 'slonik'

/** A column of secrets or seals whose master key `master_key_id` of the row names. Declared beside its store. */
export interface SealedColumn {
  table: string
  /** The row's key. */
  key: string
  /** The sealed bytes. */
  bytes: string
  /** Text that binds the sealed bytes: the owner's name, or the statement that a seal covers. */
  about: FragmentSqlToken
}

/** Columns of sealed bytes that are not rewrapped under a new master key; `kept` gives the reason. */
export interface ShortLivedSecret {
  table: string
  columns: readonly string[]
  kept: string
}
