import type { Services } from '../../relayer/services.ts'

/** The services that a test is about; touching any other is a fault of the test. */
export function partialServices(given: Partial<Services>): Services {
  return new Proxy(given, {
    get(target, name) {
      if (name in target) return target[name as keyof Services]
      throw new Error(`this test has no services.${String(name)}`)
    },
  }) as Services
}
