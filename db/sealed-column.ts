import type { FragmentSqlToken } from 'slonik'

/** A column of secrets, or of seals, that `master_key_id` of its row names the master key of. Declared beside its store. */
export interface SealedColumn {
  table: string
  /** The row's key. */
  key: string
  /** The sealed bytes. */
  bytes: string
  /** What the sealed bytes are bound to: what the owner's name is made of, or what a seal is of. */
  about: FragmentSqlToken
}

/** Columns of sealed bytes that are not brought under a new master key, and why they need not be. */
export interface ShortLivedSecret {
  table: string
  columns: readonly string[]
  kept: string
}
