import { expect, test } from 'vitest'
import { soakService } from '../deep/soak-service.ts'

test(
  'a few seconds of mixed load: every answer right, books those of the chain',
  { timeout: 180_000 },
  async () => {
    const figures = await soakService(3, 6)
    for (const kind of ['quotes', 'duplicates', 'bad proofs']) expect(figures[kind]).toBeGreaterThan(5)
  },
)
