import type { Client } from 'pg'

/** The owner of the written rows. */
export interface RowOwner {
  accountId: string
  /** One of its addresses. */
  address: string
}

interface Column {
  name: string
  type: string
  /** The table and column that it refers to, if any. */
  target: string | null
  targetColumn: string | null
  targetHasOwner: boolean
  checks: string[]
}

/** Columns that a row must give: those without a default, and those that say whose it is. */
const COLUMNS = `
  select attname as name, typname as type, confrelid::regclass::text as target,
    (select attname from pg_attribute as other
      where attrelid = confrelid and attnum = confkey[array_position(conkey, own.attnum)]) as "targetColumn",
    exists (select from pg_attribute as other where attrelid = confrelid and attname = 'account_id') as "targetHasOwner",
    array(select pg_get_constraintdef(oid) from pg_constraint as checking
      where conrelid = attrelid and contype = 'c' and own.attnum = any(checking.conkey)) as checks
  from pg_attribute as own join pg_type on pg_type.oid = atttypid
    left join pg_constraint as reference
      on conrelid = attrelid and contype = 'f' and own.attnum = any(reference.conkey)
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
    and ((attnotnull and not atthasdef) or attname in ('account_id', 'address'))`

const RANDOM_BY_TYPE: Record<string, string> = {
  text: 'md5(random()::text)',
  uuid: 'gen_random_uuid()',
  int2: '(1 + random() * 1000)::int2',
  int4: '(1 + random() * 1000)::int4',
  int8: '(1 + random() * 1000)::int8',
  numeric: '(1 + random() * 1000)::int8',
  bool: 'true',
  timestamptz: 'now()',
  bytea: `decode(md5(random()::text) || md5(random()::text), 'hex')`,
  jsonb: `'{}'`,
  _text: `array['text']`,
}

/** The rows of a table that a new row may refer to. */
const referable = ({ target, targetHasOwner }: Column, { accountId }: RowOwner) =>
  `from ${target} ${targetHasOwner ? `where account_id = '${accountId}'` : ''} limit 1`

function valueOf(column: Column, owner: RowOwner): string {
  const { name, type, target, targetColumn, checks } = column
  if (name === 'account_id' || target === 'account') return `'${owner.accountId}'`
  if (target) return `(select ${targetColumn} ${referable(column, owner)})`
  if (name === 'address') return `'${owner.address}'`
  const [, allowed] = checks.map((check) => /ARRAY\[('[^']*'::\w+)/.exec(check)).find(Boolean) ?? []
  const value = allowed ?? RANDOM_BY_TYPE[type]
  if (!value) throw new Error(`no sample value for ${name} of type ${type}`)
  return value
}

/**
 * Writes a row about an account into a table unknown to the test. The values are random and follow the table's types,
 * references and lists of allowed words. If it refers to a table without a row, that gets one first.
 *
 * @throws Error if the table demands more than that; then the test must write its row itself.
 */
export async function writeSampleRow(client: Client, table: string, owner: RowOwner): Promise<void> {
  const { rows: columns } = await client.query<Column>(COLUMNS, [table])
  for (const column of columns.filter(({ target }) => target !== null && target !== 'account')) {
    const { rowCount } = await client.query(`select ${referable(column, owner)}`)
    if (rowCount === 0) await writeSampleRow(client, column.target ?? '', owner)
  }
  const names = columns.map(({ name }) => name).join(', ')
  const values = columns.map((column) => valueOf(column, owner)).join(', ')
  try {
    await client.query(`insert into ${table} (${names}) values (${values})`)
  } catch (error) {
    throw new Error(`no sample row for ${table}: write one in the test that asks for it`, { cause: error })
  }
}
