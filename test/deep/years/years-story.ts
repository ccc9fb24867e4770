import { openTestDatabase } from '../../harness/open-test-database.ts'
import { startTestService } from '../../harness/start-service.ts'
import { sumStatements, type StatementFigures } from './judge-statements.ts'
import { recordPlans, tellPlans } from './record-plans.ts'
import { seedYears } from './seed-years.ts'
import { useService } from './use-service.ts'

/** Settings that make periodic work frequent. */
const SETTINGS = {
  devnet: { ports: [0, 0], asp: false, chainIds: [31_337] },
  http: { trustedProxies: 1 },
  feeWaivers: { waiverDays: 0 },
  transact: { simulateTimeoutMs: 30_000, submissions: { retainMs: 0 } },
  broadcast: { retainMs: 0 },
  upkeep: { everyMs: 1_000, batchRows: 100 },
}

/**
 * Uses a service that has so many settled transactions behind it; 0 for a fresh one. Hears from PostgreSQL how it ran
 * each statement: with these parameters, by the plan that it took at that moment. Statements of triggers, and ones that
 * no list names, are heard as well.
 *
 * @param passes How often everything is read.
 */
export async function yearsStory(
  transactions: number,
  passes: number,
  tell: (what: string) => void = () => {},
): Promise<StatementFigures[]> {
  const database = await openTestDatabase()
  if (transactions > 0) await seedYears(database.url, transactions, tell)
  await tellPlans(database.url)
  const record = recordPlans()
  try {
    const service = await startTestService(SETTINGS, { database, hasVectorDeposits: true })
    try {
      await useService(service, passes)
      return sumStatements(record.take())
    } finally {
      await service.stop()
    }
  } finally {
    record.stop()
  }
}
