import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { operations } from '../../schema/features.ts'

it('the README says of every operation with an Idempotency-Key how it stands after a kill', async () => {
  const readme = await readFile(new URL('../../schema/README.md', import.meta.url), 'utf8')
  const [, section = ''] = readme.split('## After a kill')
  const named = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  const keyed = operations.filter(({ idempotency }) => idempotency !== undefined).map(({ name }) => name)
  expect(new Set(named)).toEqual(new Set(keyed))
})
