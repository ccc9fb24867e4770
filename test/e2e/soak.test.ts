import { expect, test } from 'vitest'
import { soakService } from '../deep/soak-service.ts'

test(
  'half a minute of mixed load while threads die: no request lost, every answer right, books those of the chain',
  { timeout: 180_000 },
  async () => {
    const figures = await soakService(30, 12, { endsThreads: true })
    for (const kind of ['quotes', 'duplicates', 'bad proofs']) expect(figures[kind]).toBeGreaterThan(20)
    expect((figures['exits'] ?? 0) + (figures['full heaps'] ?? 0)).toBeGreaterThan(3)
  },
)
