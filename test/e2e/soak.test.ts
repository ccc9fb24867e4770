import { expect, test } from 'vitest'
import { soakService } from '../deep/soak-service.ts'

test(
  'some seconds of mixed load while threads die: no request lost, every answer right, books those of the chain',
  { timeout: 180_000 },
  async () => {
    const figures = await soakService(7, 6, { endsThreads: true })
    for (const kind of ['quotes', 'duplicates', 'bad proofs']) expect(figures[kind]).toBeGreaterThan(6)
    expect((figures['exits'] ?? 0) + (figures['full heaps'] ?? 0)).toBeGreaterThan(1)
  },
)
