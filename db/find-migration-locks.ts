/** What a migration does to a table that exists, until its transaction ends. */
export interface MigrationLock {
  table: string
  /** The work of others that waits meanwhile. */
  blocks: 'writes' | 'reads and writes'
  /** True if every row is read or written, so that it takes longer the larger the table is. */
  isLong: boolean
}

const NAME = String.raw`(?:public\.)?"?([a-z_][a-z0-9_]*)"?`

/** Forms of statements, the lock of each, and whether it goes through all rows. PostgreSQL's manual, "Explicit Locking". */
const FORMS: readonly (readonly [
  form: RegExp,
  blocks: MigrationLock['blocks'],
  isLong: (text: string) => boolean,
])[] = [
  [
    new RegExp(`^alter table (?:if exists )?(?:only )?${NAME} add (?:constraint \\w+ )?foreign key`),
    'writes',
    isLongChange,
  ],
  [new RegExp(`^alter table (?:if exists )?(?:only )?${NAME}`), 'reads and writes', isLongChange],
  [
    new RegExp(`^create (?:unique )?index (?:if not exists )?(?:\\w+ )?on (?:only )?${NAME}`),
    'writes',
    () => true,
  ],
  [
    new RegExp(`^create (?:or replace )?(?:constraint )?trigger \\w+ [^;]*? on ${NAME}`),
    'writes',
    () => false,
  ],
  [new RegExp(`^drop trigger (?:if exists )?\\w+ on ${NAME}`), 'reads and writes', () => false],
  [new RegExp(`^drop table (?:if exists )?${NAME}`), 'reads and writes', () => false],
  [new RegExp(`^truncate (?:table )?(?:only )?${NAME}`), 'reads and writes', () => false],
  [new RegExp(`^lock (?:table )?(?:only )?${NAME}`), 'reads and writes', () => false],
]
const REFERENCE = new RegExp(`\\breferences ${NAME}`, 'g')

/** True for changes of a table that go through its rows. */
function isLongChange(text: string): boolean {
  if (/ add (?:constraint|check|unique|primary|foreign|exclude)\b/.test(text) && !/ not valid\b/.test(text))
    return true
  // A default that is computed for each row is written into each.
  return / set not null\b| type \w| set (?:un)?logged\b| add column [^,]*\bdefault [^,]*\(/.test(text)
}

/**
 * Finds the tables that statements lock against others. Statements inside functions are no part of it, and neither are the rows
 * that an update changes, which only wait for each other.
 */
export function findMigrationLocks(statements: string): MigrationLock[] {
  const found = new Map<string, MigrationLock>()
  const created = new Set<string>()
  function add(table: string, blocks: MigrationLock['blocks'], isLong: boolean): void {
    if (created.has(table)) return
    const before = found.get(table)
    found.set(table, {
      table,
      blocks: before?.blocks === 'reads and writes' ? before.blocks : blocks,
      isLong: isLong || before?.isLong === true,
    })
  }
  for (const text of splitStatements(statements)) {
    const made = new RegExp(`^create (?:unlogged )?table (?:if not exists )?${NAME}`).exec(text)?.[1]
    if (made) created.add(made)
    for (const [form, blocks, isLong] of FORMS) {
      const table = form.exec(text)?.[1]
      if (!table) continue
      add(table, blocks, isLong(text))
      break
    }
    if (made || text.startsWith('alter table'))
      for (const [, table = ''] of text.matchAll(REFERENCE)) add(table, 'writes', false)
  }
  return [...found.values()]
}

/** The statements in lower case with single spaces, without comments, texts and bodies of functions. */
function splitStatements(statements: string): string[] {
  return statements
    .replaceAll(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--[^\n]*/g, '')
    .toLowerCase()
    .split(';')
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
}
