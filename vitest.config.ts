import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'test/harness/global-setup.ts',
    include: ['test/**/*.test.ts'],
    exclude: ['test/deep/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
