import { z } from 'zod'
import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../db/connect-database.ts'

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  constraints: z.array(z.string()),
  indexes: z.array(z.string()),
  triggers: z.array(z.string()),
})

/** All tables of a migrated database with their parts, and the head of each function, as SQL; for people. */
export async function printSchema(connection: CommonQueryMethods): Promise<string> {
  const tables = await connection.any(sql.type(table)`
    select relname as name, array(
        select format('%I %s', attname, format_type(atttypid, atttypmod))
          || case when attnotnull then ' not null' else '' end
          || case when attidentity <> '' then ' generated always as identity' else '' end
          || case when attgenerated <> '' then format(' generated always as (%s) stored', pg_get_expr(adbin, adrelid))
            else coalesce(' default ' || pg_get_expr(adbin, adrelid), '') end
        from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped order by attnum
      ) as columns, array(
        select format('constraint %I %s', conname, pg_get_constraintdef(oid)) from pg_constraint
        where conrelid = pg_class.oid and contype <> 'n' order by contype = 'p' desc, conname
      ) as constraints, array(
        select replace(indexdef, 'public.', '') from pg_indexes
        where tablename = relname and schemaname = current_schema()
          and not exists (select from pg_constraint where conrelid = pg_class.oid and conname = indexname)
        order by indexname
      ) as indexes, array(
        select replace(pg_get_triggerdef(oid), 'public.', '') from pg_trigger
        where tgrelid = pg_class.oid and not tgisinternal order by tgname
      ) as triggers
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relname not in ('schema_migration', 'schema_function')
    order by relname`)
  const functions = await connection.anyFirst(sql.type(z.object({ head: z.string() }))`
    select format('create function %I(%s) returns %s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid))
      || coalesce(' set ' || array_to_string(proconfig, ' set '), '') as head
    from pg_proc where pronamespace = current_schema()::regnamespace order by proname`)
  return [
    '-- Printed from a migrated database by npm run print:database; the sources are schema/, migrations/ and functions/.',
    ...tables.map(
      ({ name, columns, constraints, indexes, triggers }) =>
        `create table ${name} (\n  ${[...columns, ...constraints].join(',\n  ')}\n);\n${[...indexes, ...triggers].map((line) => `${line};\n`).join('')}`,
    ),
    ...functions.map((head) => `${head};`),
    '',
  ].join('\n')
}
