import { test } from 'vitest'
import { soakService } from './soak-service.ts'

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 600)

test('minutes of mixed load while threads die: no request lost, every answer right, memory flat', async () => {
  const figures = await soakService(SECONDS, 60)
  process.stdout.write(`soak: ${JSON.stringify(figures)}\n`)
})
